-- What operators requested under a key, with the first answer, so that a repetition after a restart returns it.
-- Without an answer the call was running when the server stopped, or its answer must not be stored.
create table operator_submission (
  operator text not null references operator (name),
  key text not null,
  fingerprint bytea not null,
  answer text,
  is_secret boolean not null default false,
  at bigint not null,
  primary key (operator, key)
);
create index operator_submission_at on operator_submission using brin (at);
