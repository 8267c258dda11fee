-- Statements within statements on the same table, errors in the middle of them, and what is kept meanwhile.
set client_min_messages = warning;
-- a trigger that inserts into its own table, deeper than states are kept ready
create table n1 (x int, t text, constraint pos check (x >= 0), constraint txt check (length(t) < 8));
create function down() returns trigger language plpgsql as $$begin if new.x > 0 then insert into n1 values (new.x - 1, new.t); end if; return new; end$$;
create trigger d before insert on n1 for each row execute function down();
insert into n1 values (12, 'deep'); insert into n1 values (12, 'too long for it'); insert into n1 values (3, 'a'), (2, 'b'), (-1, 'c'); select x, t, count(*) from n1 group by 1, 2 order by 1, 2;
-- a constraint added, dropped and replaced between, within one transaction and by nested blocks that roll back
do $$ begin for i in 1..6 loop begin
  if i = 2 then alter table n1 add constraint odd check (x <> 1) not valid; end if;
  if i = 4 then alter table n1 drop constraint odd; end if;
  if i = 5 then alter table n1 drop constraint pos; alter table n1 add constraint pos check (x <> 2) not valid; raise exception 'undone'; end if;
  insert into n1 values (2, 'i' || i); raise warning '% fine', i;
 exception when others then raise warning '% %', i, sqlerrm; end; end loop; end $$;
-- errors within evaluation, caught, over and over: the states are used again and again
create table n2 (a int, b int[], j jsonb, t text, constraint div check (10 / a > 0), constraint arr check (b && array[1,2,3]), constraint js check ((j->>'k')::numeric > 0), constraint tx check (to_date(t, 'YYYY-MM-DD') > '2000-01-01'));
do $$ declare r record; begin for i in 1..4 loop for r in values (0, '{1}'::int[], '{"k":1}'::jsonb, '2020-01-01'), (1, '{9}', '{"k":1}', '2020-01-01'), (1, '{1}', '{"k":"x"}', '2020-01-01'), (1, '{1}', '{"k":-1}', '2020-01-01'), (1, '{1}', '{"k":1}', '2020-99-01'), (1, '{1}', '{"k":1}', '1999-01-01'), (1, '{1}', '{"k":1}', '2020-01-01') loop
 begin insert into n2 values (r.column1, r.column2, r.column3, r.column4); exception when others then raise warning '% % %', i, sqlstate, sqlerrm; end; end loop; end loop; end $$; select * from n2;
-- a cursor that stands open over writes to the table that it writes; holdable; scrolled; closed by an error
begin; declare c cursor for select * from n2; fetch 1 from c; insert into n2 values (1, '{1}', '{"k":2}', '2021-01-01'); fetch 1 from c; savepoint s; insert into n2 values (0, '{1}', '{"k":2}', '2021-01-01'); rollback to s; fetch 1 from c; commit;
do $$ declare c refcursor; r n2; begin open c for insert into n2 values (2, '{1}', '{"k":3}', '2021-01-01'), (3, '{1}', '{"k":3}', '2021-01-01') returning *; fetch c into r; raise warning '%', r; close c; end $$;
create function ins(int) returns setof n2 language sql as $$insert into n2 values ($1, '{1}', '{"k":4}', '2021-01-01') returning *$$; select * from ins(3); select * from ins(0); select ins(g) from generate_series(1, 3) g; select count(*) from n2;
create function ins2(int) returns int language sql as $$insert into n2 values ($1, '{1}', '{"k":4}', '2021-01-01'); insert into n2 values ($1 - 1, '{1}', '{"k":4}', '2021-01-01'); select $1$$; select ins2(5); select ins2(1);
-- a check whose function writes to the table that is being checked, and to itself
create table n3 (x int); create function writes(int) returns bool language plpgsql as $$begin if $1 > 100 then insert into n3 values ($1 - 100); end if; return $1 <> 13; end$$;
alter table n3 add constraint w check (writes(x)), add constraint z check (x < 1000); insert into n3 values (1); insert into n3 values (250); insert into n3 values (213); insert into n3 values (1100); select * from n3 order by 1;
-- a check planned with a function that drops or adds constraints of another table that is in the same statement
create table n4 (x int, constraint a4 check (x > 0), constraint b4 check (x < 100)); create table n5 (x int);
create function alters() returns int immutable language plpgsql as $$begin if (select count(*) from pg_constraint where conname = 'b4') > 0 then alter table n4 drop constraint b4; else alter table n4 add constraint b4 check (x < 50) not valid; end if; return 1; exception when others then raise warning '%', sqlerrm; return 2; end$$;
alter table n5 add constraint al check (x > alters()); alter table n5 add constraint second check (x < 10);
insert into n5 values (5); insert into n4 values (60); insert into n5 values (5); insert into n4 values (60); with i as (insert into n5 values (6) returning x) insert into n4 select x + 60 from i; insert into n4 values (60);
-- a table dropped and made again in one transaction, under the same name, rolled back in parts
begin; create table n6 (x int check (x > 0)); insert into n6 values (1); savepoint a; drop table n6; create table n6 (x int check (x < 0)); insert into n6 values (-1); savepoint b; insert into n6 values (1); rollback to b; rollback to a; insert into n6 values (1); savepoint c; insert into n6 values (-1); rollback to c; commit; insert into n6 values (2); insert into n6 values (-2);
-- columns dropped and added under what is kept
alter table n6 add column y int default 1, add column z text; alter table n6 add constraint yz check (y > 0 or z is null); insert into n6 values (1, 0, 'a'); insert into n6 values (1, 1, 'a'); alter table n6 drop column z; insert into n6 values (1, 0); insert into n6 values (0, 0); alter table n6 alter x type text using x::text; insert into n6 values ('5', 1); alter table n6 drop constraint n6_x_check; alter table n6 add constraint n6_x_check check (x ~ '^[0-9]+$'); insert into n6 values ('x', 1); insert into n6 values ('7', 1); alter table n6 alter x type int using x::int; insert into n6 values (7, 1);
alter table n6 alter y type numeric(5,2); insert into n6 values (7, 1.5); insert into n6 values (7, 12345);
-- commit and rollback within a procedure
create table n7 (x int check (x <> 3)); create procedure pr7() language plpgsql as $$begin for i in 1..5 loop begin insert into n7 values (i); exception when check_violation then raise warning 'no %', i; end; if i % 2 = 0 then commit; else rollback; end if; end loop; end$$; call pr7(); select * from n7; insert into n7 values (3);
do $$ begin insert into n7 values (10); commit; alter table n7 add check (x <> 11); insert into n7 values (12); commit; insert into n7 values (11); end $$; select * from n7 order by 1;
-- a temporary table with ON COMMIT, truncated and clustered
create temp table n8 (x int primary key check (x > 0)) on commit delete rows; insert into n8 values (1); begin; insert into n8 values (1), (2); cluster n8 using n8_pkey; insert into n8 values (-1); rollback; insert into n8 values (-1); begin; insert into n8 values (1); truncate n8; insert into n8 values (1); alter table n8 add check (x <> 2); insert into n8 values (2); commit; insert into n8 values (2);
discard plans; insert into n8 values (2); discard temp; create temp table n8 (x int check (x <> 1)); insert into n8 values (1); insert into n8 values (2);
-- statements that are still under way: rows of the outer one have been checked, and more are to come
create table n9 (x int, t text, constraint pos check (x >= 0), constraint txt check (t <> 'bad'));
create function both() returns trigger language plpgsql as $$begin if new.x > 0 then insert into n9 values (new.x - 1, new.t), (new.x - 2, new.t); end if; return new; end$$; create trigger t before insert on n9 for each row execute function both(); insert into n9 values (5, 'a'), (6, 'a'); insert into n9 values (4, 'a'), (3, 'bad'); select x, count(*) from n9 group by 1 order by 1; insert into n9 values (8, 'a'); drop trigger t on n9;
create trigger t after insert on n9 for each row execute function both(); truncate n9; insert into n9 values (6, 'b'), (-1, 'b'); insert into n9 values (6, 'b'), (2, 'b'); select x, count(*) from n9 group by 1 order by 1;
create function alter9() returns trigger language plpgsql as $$begin if new.x = 3 then begin alter table n9 add check (x <> 1); exception when others then raise warning '%', sqlerrm; end; end if; return new; end$$; create trigger z after insert on n9 for each row execute function alter9(); insert into n9 values (4, 'c'); analyze n9; begin; insert into n9 values (3, 'c'); analyze n9; insert into n9 values (3, 'bad'); rollback; create function analyze9() returns trigger language plpgsql as $$begin analyze n9; return new; end$$; create trigger a before insert on n9 for each row execute function analyze9(); insert into n9 values (3, 'c'), (3, 'c'); insert into n9 values (4, 'c'), (1, 'bad');
