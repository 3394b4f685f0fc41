-- When one person alone approved a withdrawal: what one person lets out of an account within 24 hours is limited all together.
-- Of those that were decided before this, and of those that two persons approved, there is none.
alter table withdrawal add column one_approved_at bigint check (one_approved_at is null or decided_by is not null);
create index withdrawal_one_approved on withdrawal (owner, one_approved_at) where one_approved_at is not null;
