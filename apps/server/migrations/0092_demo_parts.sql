-- Parts of a demo's data that were made, each once; `*` stands for all of them, made by a version before this table.
create table demo_part (name text primary key, made_at bigint not null);
insert into demo_part (name, made_at)
  select '*', 0 where exists (
    select 1 from spot_order o join user_account u on u.id = o.owner
    where u.email = 'demo.trader@amethyst.example'
  );
