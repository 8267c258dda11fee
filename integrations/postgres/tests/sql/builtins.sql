-- The server's own functions, changed by a superuser under everybody's feet.
set client_min_messages = warning;
create role ck_b1; create table b1 (x int, constraint c check (abs(x) > 5)); grant insert, select, update on b1 to ck_b1;
insert into b1 values (6); insert into b1 values (5); set role ck_b1; insert into b1 values (6); insert into b1 values (5); reset role;
-- EXECUTE revoked from everybody, then given to one, then the access list goes with a new definition
revoke execute on function abs(int) from public; set role ck_b1; insert into b1 values (6); update b1 set x = x + 1; reset role; insert into b1 values (6);
grant execute on function abs(int) to ck_b1; set role ck_b1; insert into b1 values (6); insert into b1 values (5); reset role;
revoke execute on function abs(int) from ck_b1; set role ck_b1; insert into b1 values (6); reset role;
grant execute on function abs(int) to public; set role ck_b1; insert into b1 values (6); insert into b1 values (5); reset role;
-- the same amid a statement, by a trigger, before the first row and after it
create function flip() returns trigger language plpgsql security definer as $$begin
 if new.x = 77 then revoke execute on function abs(int) from public; elsif new.x = 78 then grant execute on function abs(int) to public; end if; return new; end$$;
create trigger flip before insert on b1 for each row execute function flip();
set role ck_b1; insert into b1 values (77); insert into b1 values (10); insert into b1 values (78), (5); insert into b1 values (78), (9); insert into b1 values (9), (77), (10); insert into b1 values (9); reset role;
grant execute on function abs(int) to public; set role ck_b1; insert into b1 values (9); reset role; drop trigger flip on b1;
begin; revoke execute on function abs(int) from public; savepoint s; set local role ck_b1; insert into b1 values (9); rollback to s; rollback;
set role ck_b1; insert into b1 values (9); reset role;
-- a definition of another language, with settings, as somebody else; all rolled back
create table b2 (x int, t text, constraint c check (t <> repeat('ab', x))); insert into b2 values (1, 'x'); insert into b2 values (1, 'ab');
begin; alter function repeat(text, int) security definer; insert into b2 values (1, 'x'); insert into b2 values (1, 'ab'); rollback;
begin; alter function repeat(text, int) set work_mem = '1MB'; insert into b2 values (1, 'x'); insert into b2 values (1, 'ab'); rollback;
begin; alter function repeat(text, int) volatile; insert into b2 values (1, 'x'); insert into b2 values (1, 'ab'); rollback;
begin; alter function repeat(text, int) called on null input; insert into b2 values (1, 'x'); insert into b2 values (1, 'ab'); rollback;
begin; create or replace function pg_catalog.repeat(text, int) returns text language plpgsql immutable strict as $$begin raise warning 'mine'; return 'zz'; end$$; insert into b2 values (1, 'ab'); insert into b2 values (1, 'zz'); rollback;
insert into b2 values (1, 'zz'); insert into b2 values (1, 'ab');
begin; create or replace function pg_catalog.repeat(text, int) returns text language internal immutable strict as 'text_left'; insert into b2 values (1, 'a'); insert into b2 values (1, 'abab'); rollback;
-- a constant call is computed by planning: with the definition of the moment
create table b3 (t text, constraint c check (t <> repeat('ab', 2))); insert into b3 values ('abab'); insert into b3 values ('zz');
begin; create or replace function pg_catalog.repeat(text, int) returns text language plpgsql immutable strict as $$begin raise warning 'mine'; return 'zz'; end$$; insert into b3 values ('abab'); insert into b3 values ('zz'); rollback;
insert into b3 values ('abab'); insert into b3 values ('zz');
-- the server's own SQL functions: inlined, with the privileges of the moment
create table b4 (t text, constraint c check (t <> lpad('x', 3))); insert into b4 values ('  x'); insert into b4 values ('x'); grant insert on b4 to ck_b1;
begin; revoke execute on function lpad(text, int) from public; set local role ck_b1; insert into b4 values ('x'); rollback;
begin; revoke execute on function lpad(text, int, text) from public; set local role ck_b1; insert into b4 values ('x'); rollback; set role ck_b1; insert into b4 values ('x'); insert into b4 values ('  x'); reset role;
-- a user's operator becomes the negator of the server's: NOT (a op b) is planned with it
create table b5 (p point, q point, constraint c check (not (p <@ box(point(0,0), point(1,1)))));
insert into b5 values ('(2,2)'); insert into b5 values ('(0.5,0.5)');
create function not_in(point, box) returns bool language plpgsql immutable as $$begin raise warning 'mine'; return not ($1 <@ $2); end$$;
create operator !<@ (leftarg = point, rightarg = box, function = not_in, negator = <@);
insert into b5 values ('(2,2)'); insert into b5 values ('(0.5,0.5)');
drop operator !<@ (point, box); insert into b5 values ('(2,2)'); insert into b5 values ('(0.5,0.5)');
-- default arguments of the server's own functions come from the catalog when the expression is planned
create table b6 (j jsonb, constraint c check (jsonb_path_exists(j, '$.a'))); insert into b6 values ('{"a":1}'); insert into b6 values ('{"b":1}'); insert into b6 values ('[1]');
create table b7 (j jsonb, constraint c check (jsonb_path_exists(j, 'strict $.a', silent => true))); insert into b7 values ('{"a":1}'); insert into b7 values ('{"b":1}'); insert into b7 values ('[1]');
-- the same where everything is warm: no error came before, which would have thrown what was compiled away
create role ck_b2; create table w1 (x int, t text, constraint c check (abs(x) < 100), constraint d check (upper(t) <> 'NO')); grant insert on w1 to ck_b1, ck_b2; create trigger w before insert on w1 for each row when (sign(new.x::float8) > 0) execute function flip();
insert into w1 values (1, 'a'); insert into w1 values (1, 'a'); set role ck_b1; insert into w1 values (1, 'a'); reset role;
revoke execute on function abs(int) from public; set role ck_b1; insert into w1 values (1, 'a'); reset role; insert into w1 values (1, 'a'); insert into w1 values (1, 'a');
grant execute on function abs(int) to ck_b1; insert into w1 values (1, 'a'); insert into w1 values (1, 'a'); set role ck_b1; insert into w1 values (1, 'a'); set role ck_b2; insert into w1 values (1, 'a'); set role ck_b1; insert into w1 values (1, 'a'); reset role;
grant execute on function abs(int) to public; insert into w1 values (1, 'a'); insert into w1 values (1, 'a'); set role ck_b2; insert into w1 values (1, 'a'); reset role;
begin; insert into w1 values (1, 'a'); revoke execute on function upper(text) from public; insert into w1 values (1, 'a'); set local role ck_b2; savepoint s; insert into w1 values (1, 'a'); rollback to s; reset role; insert into w1 values (1, 'a'); rollback; set role ck_b2; insert into w1 values (1, 'a'); reset role;
insert into w1 values (1, 'a'); begin; revoke execute on function sign(float8) from public; set local role ck_b2; insert into w1 values (1, 'a'); rollback; set role ck_b2; insert into w1 values (1, 'a'); reset role;
insert into w1 values (1, 'a'); insert into w1 values (1, 'a'); begin; create or replace function pg_catalog.upper(text) returns text language plpgsql immutable strict as $$begin raise warning 'mine'; return 'NO'; end$$; insert into w1 values (1, 'a'); rollback; insert into w1 values (1, 'a'); begin; alter function upper(text) owner to ck_b2; revoke execute on function upper(text) from public; set local role ck_b2; insert into w1 values (1, 'a'); rollback;
do $$ begin for i in 1..3 loop insert into w1 values (i, 'a'); end loop; revoke execute on function upper(text) from public; set role ck_b2; for i in 1..3 loop begin insert into w1 values (i, 'a'); exception when others then raise warning '%', sqlerrm; end; end loop; reset role; for i in 1..3 loop insert into w1 values (i, 'a'); end loop; grant execute on function upper(text) to public; set role ck_b2; insert into w1 values (1, 'a'); end $$;
create function secdef(int) returns void security definer language plpgsql as $$begin insert into w1 values ($1, 'a'); end$$; alter function secdef(int) owner to ck_b1; select secdef(1); select secdef(1); revoke execute on function abs(int) from public; grant execute on function abs(int) to ck_b1; select secdef(1); set role ck_b2; select secdef(1); insert into w1 values (1, 'a'); reset role; revoke execute on function abs(int) from ck_b1; grant execute on function abs(int) to ck_b2; select secdef(1); set role ck_b2; insert into w1 values (1, 'a'); select secdef(1); reset role;
-- a hook on calls comes when everything is warm (where the test module is loaded; without it these settings mean nothing)
grant execute on function abs(int) to public; set relcache_checks_test.discard = off; insert into w1 values (1, 'a'); insert into w1 values (1, 'a'); insert into w1 values (1, 'a'); set relcache_checks_test.hear_calls = on; insert into w1 values (1, 'a'); insert into w1 values (2, 'b'); insert into w1 values (200, 'b'); insert into w1 values (2, 'b'); reset relcache_checks_test.hear_calls; reset relcache_checks_test.discard;
drop owned by ck_b1, ck_b2; drop role ck_b1, ck_b2;
