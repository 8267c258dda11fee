-- Functions of the server's own that claim to be immutable and read a setting. Planning computes them when their
-- arguments are constant, in every statement anew; a plan that is kept must not remember another setting's value.
set client_min_messages = warning;
create table f1 (t text, constraint f check (t <> (1.1::float4 / 3::float4)::text));
set extra_float_digits = 0; insert into f1 values ('0.366667'); insert into f1 values ('0.36666667');
set extra_float_digits = 1; insert into f1 values ('0.366667'); insert into f1 values ('0.36666667');
set extra_float_digits = -3; insert into f1 values ('0.3667'); insert into f1 values ('0.367'); reset extra_float_digits;
insert into f1 values ('0.36666667');
create table f2 (t text, constraint b check (t <> ('ab'::bytea || 'c'::bytea)::text));
set bytea_output = escape; insert into f2 values ('abc'); insert into f2 values ('\x616263');
set bytea_output = hex; insert into f2 values ('abc'); insert into f2 values ('\x616263'); reset bytea_output;
create table f3 (t text, constraint i check (t <> ('1 day'::interval + '02:00'::interval)::text));
set intervalstyle = postgres; insert into f3 values ('1 day 02:00:00'); insert into f3 values ('P1DT2H');
set intervalstyle = iso_8601; insert into f3 values ('1 day 02:00:00'); insert into f3 values ('P1DT2H');
set intervalstyle = sql_standard; insert into f3 values ('1 2:00:00'); reset intervalstyle;
create table f4 (t text, constraint q check (t <> quote_ident('plain')));
insert into f4 values ('plain'); set quote_all_identifiers = on; insert into f4 values ('plain'); insert into f4 values ('"plain"'); reset quote_all_identifiers;
insert into f4 values ('"plain"'); insert into f4 values ('plain');
create table f4b (t text, constraint q check (t <> quote_ident(lower('PLAIN')))); insert into f4b values ('plain');
set quote_all_identifiers = on; insert into f4b values ('plain'); insert into f4b values ('"plain"'); reset quote_all_identifiers;
create table f5 (t timestamptz, constraint z check (t <> ('2020-06-01 12:00'::timestamp at time zone 'EST')));
insert into f5 values ('2020-06-01 17:00+00'); insert into f5 values ('2020-06-01 02:00+00');
set timezone_abbreviations = 'Australia'; insert into f5 values ('2020-06-01 17:00+00'); insert into f5 values ('2020-06-01 02:00+00'); reset timezone_abbreviations;
create table f6 (t timestamptz, constraint z check (t > '2020-01-01'::date)); insert into f6 values ('2020-01-01 00:30+01');
set timezone = 'Asia/Tokyo'; insert into f6 values ('2020-01-01 00:30+01'); insert into f6 values ('2019-12-31 16:00+00'); set timezone = 'UTC'; insert into f6 values ('2019-12-31 16:00+00'); reset timezone;
create text search dictionary fd (template = simple); create text search configuration fc (parser = "default"); alter text search configuration fc add mapping for asciiword with fd;
create table f7 (v tsvector, constraint v check (v <> to_tsvector('fc', 'the Words')));
insert into f7 values ('''the'':1 ''words'':2'); insert into f7 values ('''words'':2');
alter text search dictionary fd (stopwords = 'english'); insert into f7 values ('''the'':1 ''words'':2'); insert into f7 values ('''words'':2');
create table f8 (t text, constraint e check (t <> to_char(1234.5::numeric, '9G999D9'))); insert into f8 values (' 1,234.5');
create table f9 (t date, constraint d check (t > 'today'::date - 36500)); insert into f9 values (now()::date); insert into f9 values ('1800-01-01');
set datestyle = 'SQL, DMY'; create table f10 (t text, constraint d check (t <> '2020-02-01'::date::text)); insert into f10 values ('01/02/2020'); set datestyle = 'ISO, MDY'; insert into f10 values ('01/02/2020'); insert into f10 values ('2020-02-01'); reset datestyle;
-- computed and kept: arithmetic, casts, text
create table g1 (a numeric, b float8, c text, d timestamp, e int8, check (a > 0), check (b < 10 ^ 3), check (c <> upper('x') || lower('Y')), check (d > '2020-01-01'::timestamp + '1 day'), check (e < 2 * 50 + 3), check (length(c) < char_length('0123456789')));
insert into g1 values (1, 1, 'a', '2021-01-01', 1); insert into g1 values (0, 1, 'a', '2021-01-01', 1); insert into g1 values (1, 1000, 'a', '2021-01-01', 1); insert into g1 values (1, 1, 'Xy', '2021-01-01', 1); insert into g1 values (1, 1, 'a', '2020-01-02', 1); insert into g1 values (1, 1, 'a', '2021-01-01', 103); insert into g1 values (1, 1, '0123456789', '2021-01-01', 1); insert into g1 values (null, null, null, null, null);
-- a call over a column that planning reduces to a constant argument
create table g2 (a int, t text, constraint c check (t <> quote_ident(case when a is null and false then 'other' else 'plain' end)));
insert into g2 values (1, 'plain'); set quote_all_identifiers = on; insert into g2 values (1, 'plain'); insert into g2 values (1, '"plain"'); reset quote_all_identifiers; insert into g2 values (1, '"plain"'); insert into g2 values (1, 'plain');
create table g3 (a int, constraint never check (false and a > 1/0), constraint maybe check (a > 0 or true)); insert into g3 values (1); insert into g3 values (1);
create table g4 (a int, constraint null_arg check (a > 1 + null::int), constraint strict_text check (upper(null) is null)); insert into g4 values (1); insert into g4 values (1);
