-- Inheritance outside partitioning: several parents, dropped and reordered columns, inherited, NO INHERIT and NOT VALID checks,
-- columns added later (attmissingval), a typed table, names that need quotes.
create table base (id int not null, gone text, v numeric, constraint base_v check (v > 0), constraint base_only check (id > 0) no inherit);
create table side (id int not null, w text default 'side', constraint side_w check (w <> ''));
create table left_child (extra int) inherits (base);
create table both_child (w text default 'both', constraint both_child_sum check (id + v > 1)) inherits (base, side);
create table grand_child (constraint grand_v check (v < 1000)) inherits (both_child);
alter table base drop column gone;
alter table base add column late int default 7 check (late >= 7);
alter table base add constraint base_late check (v < 1000000) not valid;
alter table left_child drop column extra;
alter table left_child add column extra text default 'again';
alter table left_child no inherit base;
alter table left_child inherit base;

create table added (a int);
insert into added values (1);
alter table added add column b text default 'missing value', add column c int[] default '{1,2}', add column d timestamptz default '2024-01-01 00:00+00';
alter table added add column e int default (random() * 10)::int;

create type pair as (first int, second text);
create table pairs of pair (first with options not null default 1, constraint pairs_first check (first between 1 and 9));

create schema "Odd ""Names""";
create table "Odd ""Names"""."select" (
  "from" int check ("from" > 0),
  "Ünïcödé" text constraint "CHECK it's ""odd""" check ("Ünïcödé" <> E'back\\slash and ''quote'' and "double"'),
  "a.b c" text default E'tab\tnewline\n',
  "{" int constraint "z}" check ("{" <> 1) constraint "Z}" check ("{" <> 2)
);
create index "index on select" on "Odd ""Names"""."select" ("from") where "{" is null;
create table "Odd ""Names"""."Kind" () inherits ("Odd ""Names"""."select");

create table empty ();
create table wide as select 1 as c1;
do $$ begin for i in 2 .. 60 loop execute format('alter table wide add column c%s int check (c%s <> %s)', i, i, i); end loop; end $$;
