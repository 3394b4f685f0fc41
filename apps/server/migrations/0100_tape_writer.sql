-- Which process may add to the tape. A process claims the next epoch when it begins to make the index, with the writer's
-- lock; lines of an earlier epoch are refused, so that a process that was frozen and replaced adds nothing when it wakes.
create table market_tape_writer (
  single boolean primary key default true check (single),
  epoch bigint not null
);
insert into market_tape_writer (epoch) values (0);

-- Void positions of a person are counted by their reason.
create index seconds_order_voids on seconds_order (owner) where result = 'void';
