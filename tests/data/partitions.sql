-- The schema behind partitions.json, which scripts/snapshot made of it on PostgreSQL 15:
--   createdb -T template0 --locale=C d && psql -d d -f partitions.sql && scripts/snapshot dbname=d --schema parts
create schema parts;
set search_path = parts;

create table days (id int, day date, note text) partition by range (day);
create table days_jan partition of days for values from ('2024-01-01') to ('2024-02-01');
create table days_mar partition of days for values from ('2024-03-01') to ('2024-04-01');
create table days_old partition of days for values from (minvalue) to ('2023-01-01');

create table hours (at bigint) partition by range (at);
create table hours_1 partition of hours for values from (1603584000) to (1603587600);
create table hours_2 partition of hours for values from (1603591200) to (1603594800);

create table words (w text) partition by list (w);
create table words_a partition of words for values in ('a', 'A');
create table words_null partition of words for values in ('n', null);
create table words_rest partition of words default;

create table flags (f int) partition by list (f);
create table flags_1 partition of flags for values in (1);
create table flags_rest partition of flags default;

create table pairs (a int, b int) partition by range (a, b);
create table pairs_1 partition of pairs for values from (minvalue, minvalue) to (1, minvalue);
create table pairs_2 partition of pairs for values from (1, minvalue) to (1, 5);
create table pairs_3 partition of pairs for values from (1, 5) to (1, maxvalue);
create table pairs_4 partition of pairs for values from (3, maxvalue) to (4, minvalue);

create table numbers (n int) partition by hash (n);
create table numbers_0 partition of numbers for values with (modulus 4, remainder 0);
create table numbers_1 partition of numbers for values with (modulus 4, remainder 1);
create table numbers_2 partition of numbers for values with (modulus 4, remainder 2);
create table numbers_3 partition of numbers for values with (modulus 4, remainder 3);

create table holey (n int) partition by hash (n);
create table holey_0 partition of holey for values with (modulus 2, remainder 0);
create table holey_1 partition of holey for values with (modulus 4, remainder 1);

-- Columns in another order, and dropped ones.
create table moved (gone int, a int, b text) partition by list (a);
alter table moved drop column gone;
create table moved_1 (b text, junk int, a int);
alter table moved_1 drop column junk;
alter table moved attach partition moved_1 for values in (1);
create table moved_2 partition of moved for values in (2) partition by range (lower(b));
create table moved_2_m partition of moved_2 for values from ('a') to ('n');
create table moved_3 (b text, a int) partition by hash (b);
alter table moved attach partition moved_3 for values in (3);
create table moved_3_0 (a int, extra int, b text);
alter table moved_3_0 drop column extra;
alter table moved_3 attach partition moved_3_0 for values with (modulus 2, remainder 0);
create table moved_3_1 partition of moved_3 for values with (modulus 2, remainder 1);

create table computed (t timestamp, n int) partition by range ((t::date), (n % 10));
create table computed_1 partition of computed for values from ('2024-01-17', 0) to ('2024-01-17', 5);

create type mood as enum ('sad', 'ok', 'happy');
alter type mood add value 'fine' before 'happy';
commit;  -- a new label can be used in another transaction only
create domain positive as int check (value > 0);
create table moods (m mood) partition by range (m);
create table moods_low partition of moods for values from ('sad') to ('fine');
create table moods_high partition of moods for values from ('fine') to (maxvalue);
create table sizes (s positive) partition by list (s);
create table sizes_1 partition of sizes for values in (1, 2);

create table quoted ("Key" int, "b""b" text) partition by range ("Key", "b""b");
create table "Quoted 1" partition of quoted for values from (0, 'a') to (10, 'b');

create table points (p point);
create table emptied (a int) partition by range (a);
