-- A deposit is known by its transaction and output. Reports that people credited before outputs were asked for have an
-- assumed one: they count for every output with the same amount.
alter table deposit add column output_assumed boolean not null default false;
update deposit set output_assumed = true where position = 0 and block = 0;
