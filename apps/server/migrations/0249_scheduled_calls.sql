-- Confirmed calls of operators that take effect at a later time. A call is applied once: it leaves `waiting` before it runs.
create table operator_scheduled (
  id uuid primary key,
  operator text not null,
  -- The second person, where the call needed one.
  approved_by text,
  operation text not null,
  parameters text not null,
  fields text not null,
  reason text not null,
  state text not null,
  created_at bigint not null,
  starts_at bigint not null,
  -- The facts on which it was approved; it is refused if they have changed by its start.
  evidence_digest bytea,
  ended_at bigint,
  ended_by text,
  result text
);
create index operator_scheduled_waiting on operator_scheduled (starts_at) where state = 'waiting';
create index operator_scheduled_ended on operator_scheduled (ended_at desc) where ended_at is not null;
