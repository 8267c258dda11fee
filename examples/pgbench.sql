-- The tables of pgbench -i --foreign-keys, with constraints such as an accountant would want, and its accounts once more in
-- partitions (pgbench -i --partitions).
create table pgbench_branches (
  bid int not null primary key,
  bbalance int not null default 0 check (bbalance between -2000000000 and 2000000000),
  filler char(88)
) with (fillfactor = 100);

create table pgbench_tellers (
  tid int not null primary key,
  bid int references pgbench_branches,
  tbalance int not null default 0,
  filler char(84),
  constraint pgbench_tellers_tid_check check (tid > 0)
) with (fillfactor = 100);

create table pgbench_accounts (
  aid int not null primary key,
  bid int references pgbench_branches,
  abalance int not null default 0,
  filler char(84),
  constraint pgbench_accounts_aid_check check (aid > 0 and aid <= 100000000)
) with (fillfactor = 100);

create table pgbench_history (
  tid int references pgbench_tellers,
  bid int references pgbench_branches,
  aid int references pgbench_accounts,
  delta int check (delta >= -5000 and delta <= 5000),
  mtime timestamp default current_timestamp,
  filler char(22)
);

create table pgbench_accounts_range (
  aid int not null primary key,
  bid int,
  abalance int not null default 0,
  filler char(84)
) partition by range (aid);
create table pgbench_accounts_range_1 partition of pgbench_accounts_range for values from (minvalue) to (25001) with (fillfactor = 100);
create table pgbench_accounts_range_2 partition of pgbench_accounts_range for values from (25001) to (50001) with (fillfactor = 100);
create table pgbench_accounts_range_3 partition of pgbench_accounts_range for values from (50001) to (75001) with (fillfactor = 100);
create table pgbench_accounts_range_4 partition of pgbench_accounts_range for values from (75001) to (maxvalue) with (fillfactor = 100);

create table pgbench_accounts_hash (
  aid int not null primary key,
  bid int,
  abalance int not null default 0,
  filler char(84)
) partition by hash (aid);
create table pgbench_accounts_hash_1 partition of pgbench_accounts_hash for values with (modulus 3, remainder 0);
create table pgbench_accounts_hash_2 partition of pgbench_accounts_hash for values with (modulus 3, remainder 1);
create table pgbench_accounts_hash_3 partition of pgbench_accounts_hash for values with (modulus 3, remainder 2);
