-- Partitions: by range, list and hash, of several columns and of expressions, default ones, partitions of partitions, partitions
-- whose columns stand in another order.
create table events (id bigint not null, at timestamptz not null, kind text not null default 'other', payload jsonb)
  partition by range (at);
create table events_2024 partition of events for values from ('2024-01-01 00:00+00') to ('2025-01-01 00:00+00');
create table events_2025 partition of events for values from ('2025-01-01 00:00+00') to ('2026-01-01 00:00+00')
  partition by list (kind);
create table events_2025_clicks partition of events_2025 (constraint events_payload check (payload is not null))
  for values in ('click', 'scroll');
create table events_2025_null partition of events_2025 for values in ('other');
create table events_2025_rest partition of events_2025 default partition by hash (id);
create table events_2025_rest_0 partition of events_2025_rest for values with (modulus 4, remainder 0);
create table events_2025_rest_1 partition of events_2025_rest for values with (modulus 4, remainder 1);
alter table events_2025_rest detach partition events_2025_rest_1;
create table events_2025_rest_13 partition of events_2025_rest for values with (modulus 2, remainder 1);
create table events_2025_rest_2 partition of events_2025_rest for values with (modulus 4, remainder 2);
create table events_default partition of events default;

create table grid (x int, y numeric(6, 2), z text) partition by range (x, y);
create table grid_low partition of grid for values from (minvalue, minvalue) to (0, 0);
create table grid_mid partition of grid for values from (0, 0) to (0, maxvalue);
create table grid_high partition of grid for values from (1, -5.5) to (10, 7.25);

create table people (name text collate "C", born date) partition by range (lower(name), (extract(year from born)));
create table people_a_m partition of people for values from ('a', minvalue) to ('n', minvalue);
create table people_n_z partition of people for values from ('n', minvalue) to (maxvalue, maxvalue);

create table by_list (a int, b text, c int) partition by list (a);
create table by_list_null partition of by_list for values in (null, 1);
create table by_list_few partition of by_list for values in (2, 3, 5, 7) partition by list ((b || '!'));
create table by_list_few_x partition of by_list_few for values in ('x!');
create table by_list_few_default partition of by_list_few default;
create table by_list_default partition of by_list default;

create table by_hash (a int, b text, c uuid) partition by hash (a, b);
create table by_hash_0 partition of by_hash for values with (modulus 3, remainder 0);
create table by_hash_1 partition of by_hash for values with (modulus 3, remainder 1);
create table by_hash_2 partition of by_hash for values with (modulus 3, remainder 2);

create table by_flag (flag boolean not null, day date) partition by list (flag);
create table by_flag_true partition of by_flag for values in (true);
create table by_flag_false partition of by_flag for values in (false);

-- Columns in another order than the parent's, some dropped.
create table parent_order (dropped text, a int, b text, constraint both_set check (a > 0 and b <> '')) partition by range (a);
alter table parent_order drop column dropped;
create table child_order (b text, junk int, a int, constraint both_set check (a > 0 and b <> ''));
alter table child_order drop column junk;
alter table parent_order attach partition child_order for values from (1) to (100);
create index on parent_order (b, (a + 1)) where a > 10;

create table money_by_range (v money, t time, f float8, i2 smallint, i8 bigint, ts timestamp, n numeric, vc varchar(10), bp char(5), u uuid)
  partition by range (f, i2, i8, ts, n, vc, bp, u);
create table money_by_range_1 partition of money_by_range
  for values from ('-Infinity', -1, 0, '2000-01-01', 0, 'a', 'a', '00000000-0000-0000-0000-000000000000')
  to ('Infinity', 1, 9223372036854775807, '2100-01-01 12:00:00.5', 1e20, 'b', 'b', 'ffffffff-ffff-ffff-ffff-ffffffffffff');

create type colour as enum ('red', 'green', 'blue');
create table by_enum (c colour, d int) partition by list (c);
create table by_enum_warm partition of by_enum for values in ('red');
create table by_enum_cold partition of by_enum for values in ('green', 'blue');
