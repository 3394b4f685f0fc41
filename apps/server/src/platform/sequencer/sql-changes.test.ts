import { describe, expect, it } from 'vitest';
import { SqlChanges } from './sql-changes.ts';

const changes = (text: unknown, command: string, rowCount: number | null): boolean => {
  const tracked = new SqlChanges();
  tracked.note(text, { command, rowCount });
  return tracked.isAny;
};

describe('detection of changed rows', () => {
  it.each([
    ['select "id" from "deposit" where "status" = $1', 'SELECT', 3],
    ['select id from deposit where id = $1 for update', 'SELECT', 1],
    ['with due as (select id from deposit) select * from due', 'SELECT', 2],
    ['update "deposit" set "status" = $1 where "id" = $2', 'UPDATE', 0],
    ['update deposit as d set status = 1 from other o where d.id = o.id', 'UPDATE', 0],
    ['insert into "a" ("b") values ($1) on conflict ("b") do update set "b" = $1', 'INSERT', 0],
    ['delete from deposit_notice where id = $1', 'DELETE', 0],
  ] as const)('SEQ-621 %s changes nothing', (text, command, rowCount) => {
    expect(changes(text, command, rowCount)).toBe(false);
  });

  it.each([
    ['update "deposit" set "status" = $1', 'UPDATE', 1],
    ['insert into "a" ("b") values ($1)', 'INSERT', 1],
    ['with gone as (delete from deposit_notice returning id) select * from gone', 'SELECT', 0],
    ['with gone as (delete from a returning id) insert into b select id from gone', 'INSERT', 0],
    ["select nextval('numbers')", 'SELECT', 1],
    ['create table a (b text)', 'CREATE', null],
    [{ submit: () => undefined }, 'SELECT', 0],
  ] as const)('SEQ-621 %s counts as a change', (text, command, rowCount) => {
    expect(changes(text, command, rowCount)).toBe(true);
  });
});
