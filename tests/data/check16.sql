-- The schema behind check16.json, which scripts/snapshot made of it on PostgreSQL 16; see partitions.sql.
-- From 16 on a partition may compute a generated column in another way than the table.
create schema s;
create table s.differs (a int, g int generated always as (a * 2) stored) partition by range (a);
create table s.differs_1 (a int, g int generated always as (a * 3) stored check (g < 20));
alter table s.differs attach partition s.differs_1 for values from (0) to (10);
