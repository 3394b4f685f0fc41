-- Who sends and who receives a withdrawal (IVMS101 fields), encrypted like identities. A record is stored before its
-- withdrawal is requested; records whose request was refused are removed.
create table travel_rule_record (
  withdrawal uuid primary key,
  owner uuid not null,
  sealed bytea not null,
  created_at bigint not null
);
create index travel_rule_record_created on travel_rule_record (created_at);
