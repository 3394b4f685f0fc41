-- How far the stored subjects of a source, such as verified identities, are compared with the present lists.
create table screening_pass (
  source text primary key,
  -- SHA-256 of the names and files of the lists that are compared, in hex.
  lists text not null,
  -- The last compared subject; null before the first.
  after text,
  compared integer not null check (compared >= 0),
  finished_at bigint
);
create index kyc_submission_verified on kyc_submission (id) where status = 2;
