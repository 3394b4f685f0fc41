-- The writer's lease, and what stops everybody when the database has forgotten a confirmed step.

alter table writer
  -- When the writer last stored a batch or renewed its lease, by the clock of the database.
  add column alive_at timestamptz,
  -- The database session of the writer. Its start tells it apart from a later session with the same number.
  add column backend integer,
  add column backend_started_at timestamptz,
  -- Set when a process finds the journal shorter than it had stored: the last step it had stored. While it is set
  -- nobody writes; only an operator clears it.
  add column lost_sequence bigint;
