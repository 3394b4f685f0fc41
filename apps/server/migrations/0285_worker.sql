-- One row: the process that runs the jobs of workers, if the exchange has workers. Its lease is like that of the writer.
create table worker (
  id integer primary key check (id = 1),
  -- Grows with each change of the leading worker. Sessions of earlier epochs are ended before the jobs of an epoch begin.
  epoch bigint not null,
  -- The process that opened the epoch.
  holder uuid,
  -- When the worker last renewed its lease, by the clock of the database.
  alive_at timestamptz,
  -- The database session that holds the worker's lock. Its start tells it apart from a later session with the same number.
  backend integer,
  backend_started_at timestamptz
);
insert into worker (id, epoch) values (1, 0);
