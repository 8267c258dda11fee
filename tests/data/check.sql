-- The schema behind check.json, which scripts/snapshot made of it on PostgreSQL 15; see partitions.sql.
create schema s;
create domain s.pos as int check (value > 0);
create domain s.nn as text not null;
create type s.mood as enum ('sad','ok');
create table s.t (id int not null, c int check (c > 0), t text check (char_length(t) <= 5), n numeric(5,2) check (n < 100), p s.pos, m s.mood, d date, g int generated always as (c * 2) stored check (g < 100), w s.nn, x int default 7);
create table s.serials (id serial primary key, v int not null check (v > 0), k bigint generated always as identity check (k > 0));
create table s.triggered (v int);
create function s.f() returns trigger language plpgsql as 'begin return new; end';
create trigger before_row before insert on s.triggered for each row execute function s.f();
create table s.routed (a int, b text not null, c int check (c > 0)) partition by range (a);
create table s.routed_1 (c int check (c > 0), b text not null, a int, constraint own check (c < 100));
alter table s.routed_1 rename constraint routed_1_c_check to routed_c_check;
alter table s.routed attach partition s.routed_1 for values from (0) to (10);
create table s.routed_2 partition of s.routed for values from (20) to (30);
create table s.divided (c int check (100 / c > 0));
-- What depends on defaults that relcache cannot compute.
create function s.g() returns int language plpgsql as 'begin return null; end';
create table s.unknown (a int, k int not null default s.g());
create table s.derived (id serial, a int, h int generated always as (id * 2) stored check (h < 100));
create table s.numbered (id serial, a int, c int check (c > 0), k int default s.g()) partition by range (a);
create table s.numbered_1 partition of s.numbered for values from (0) to (10);
create table s.numbered_2 (a int, c int check (c > 0), k int not null default s.g(), id int not null);
alter table s.numbered_2 rename constraint numbered_2_c_check to numbered_c_check;
alter table s.numbered attach partition s.numbered_2 for values from (10) to (20);
create table s.filed (v int, at int default s.g()) partition by list (at);
create table s.filed_1 partition of s.filed for values in (1);
-- A partition may compute a generated column in another way.
create table s.computed (a int, g int generated always as (a * 2) stored) partition by range (a);
create table s.computed_1 (g int generated always as (a * 2) stored, a int);
alter table s.computed attach partition s.computed_1 for values from (0) to (10);
