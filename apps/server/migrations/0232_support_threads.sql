-- What a customer and customer service write to each other about a request, and notes that only operators read.
create table support_message (
  number bigint generated always as identity primary key,
  request uuid not null references support_request (id) on delete cascade,
  -- 1 the customer, 2 customer service, 3 a note of an operator
  author smallint not null check (author in (1, 2, 3)),
  content text not null check (length(content) between 1 and 2000),
  -- The operator; nobody for the customer.
  written_by text,
  created_at bigint not null,
  constraint support_message_writer check ((written_by is null) = (author = 1))
);
create index support_message_request on support_message (request, number);

insert into support_message (request, author, content, written_by, created_at)
select id, 2, answer, decided_by, decided_at from support_request where status = 2;

-- Since when the customer waits: the request, or their last reply to an answer.
alter table support_request drop column answer;
alter table support_request add column waiting_since bigint;
update support_request set waiting_since = created_at;
alter table support_request alter column waiting_since set not null;
drop index support_request_waiting;
create index support_request_waiting on support_request (waiting_since) where status = 1;
