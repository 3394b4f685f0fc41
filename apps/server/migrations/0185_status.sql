-- What the public status page shows.

-- Acknowledged orders by hour (hours since 1970) and duration: `bucket` is the place of the upper bound in the server's list.
create table status_latency (
  hour integer not null,
  bucket smallint not null check (bucket >= 0),
  count bigint not null check (count > 0),
  primary key (hour, bucket)
);

-- Minutes of each day (days since 1970, UTC) in which the exchange was seen working, of those since `first_minute`, the first
-- minute that is counted. Minutes are since 1970.
create table status_day (
  day integer primary key,
  minutes integer not null check (minutes between 1 and 1440),
  first_minute bigint not null,
  last_minute bigint not null
);

-- Incidents that operators report, in their languages. An incident begins with its first report and ends with the one whose
-- stage is `resolved`.
create table status_incident (
  id uuid primary key,
  component text not null,
  title jsonb not null,
  started_at bigint not null,
  ended_at bigint
);
create index status_incident_newest on status_incident (started_at desc, id desc);

create table status_report (
  incident uuid not null references status_incident (id),
  number integer not null check (number > 0),
  at bigint not null,
  stage text not null,
  content jsonb not null,
  by text not null,
  reason text not null,
  primary key (incident, number)
);
create trigger status_report_append_only before update or delete or truncate on status_report
  for each statement execute function refuse_change();
