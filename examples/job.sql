-- The job: rows that are inserted into a parent table are routed by its trigger into a child, each by a statement of its own, and
-- the child's constraint is verified for each.
create table measurement (
  id bigint not null,
  taken_at timestamp not null default now(),
  c integer,
  reading numeric(12, 3),
  note text
);

create table measurement_1 (
  constraint measurement_1_c_check check (c > 0 and c <= 100000000)
) inherits (measurement);

create function measurement_route() returns trigger language plpgsql as $$
begin
  insert into measurement_1 values (new.*);
  return null;
end
$$;

create trigger measurement_route before insert on measurement
  for each row execute function measurement_route();
