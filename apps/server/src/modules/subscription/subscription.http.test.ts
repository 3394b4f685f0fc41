import { createHash } from 'node:crypto';
import { Decimal } from '@exchange/core/decimal.ts';
import { DAY_MS, later, MINUTE_MS } from '@exchange/core/time.ts';
import { overview } from '@exchange/wire/account.ts';
import { messagePage } from '@exchange/wire/message.ts';
import { spotAssets } from '@exchange/wire/spot.ts';
import {
  claimTokens,
  commitToProject,
  projectDetail,
  projects,
  reduceCommitment,
  subscriptionFile,
  subscriptionRecordDetail,
  subscriptionRecords,
} from '@exchange/wire/subscription.ts';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { eventually } from '../../../testing/eventually.ts';
import { anExchange, type TestExchange, type TestTrader } from '../../../testing/exchange.ts';
import { poisonRows } from '../../../testing/poison.ts';
import { runVerifier } from '../../../testing/verifier.ts';
import { createSaver, purchase } from '../finance/testing/products.ts';
import { createProject, commitFor, projectTerms, soldProject } from './testing/projects.ts';

const d = (text: string): Decimal => Decimal.parse(text);
const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

describe('subscription', () => {
  let exchange: TestExchange;
  beforeAll(async () => {
    exchange = await anExchange();
  });
  afterAll(() => exchange.close());

  const settle = () => exchange.doors.subscription.jobs.settle();
  async function coins(trader: TestTrader, coin = 'USDT'): Promise<string> {
    return (await trader.request(spotAssets, { currency: coin })).list[0]!.availableCurrency;
  }
  async function record(trader: TestTrader, projectId: string) {
    const { list } = await trader.request(subscriptionRecords);
    return list.find((candidate) => candidate.projectId === projectId)!;
  }
  const projectOf = async (id: string) => (await exchange.call(projectDetail, { id })).data;

  it('SUB-1061 a commitment under outdated terms is refused with both versions', async () => {
    const startAt = later(exchange.clock.now(), 1_000_000);
    const id = await createProject(exchange, 'changing', { startAt });
    const shown = await projectOf(id);
    await createProject(exchange, 'changing', { startAt, lockDays: 20 });
    const inForce = await projectOf(id);
    expect([shown.version, inForce.version]).toEqual([1, 2]);
    const trader = await createSaver(exchange, { USDT: '900' });
    await exchange.advanceTime(1_000_001);
    const fields = { ...purchase(id, '100'), version: String(shown.version) };
    expect(await trader.call(commitToProject, fields)).toMatchObject({
      errKey: 'l.terms_changed',
      data: { limit: '2', value: '1' },
    });
    expect(await coins(trader)).toBe('900');
    const committed = await trader.request(commitToProject, { ...fields, version: String(inForce.version) });
    expect(committed).toMatchObject({ myCommitted: '100' });
    // A commitment that names no version of the terms is accepted.
    expect(await trader.request(commitToProject, purchase(id, '50'))).toMatchObject({ myCommitted: '150' });
  });

  it('SUB-002 SUB-003 commitments are raised and reduced until the end, within their limits', async () => {
    const id = await createProject(exchange, 'raise');
    const soon = await createProject(exchange, 'soon', { startAt: later(exchange.clock.now(), 1_000_000) });
    const trader = await createSaver(exchange, { USDT: '900' });
    const fields = { ...purchase(id, '100'), clientId: 'once' };
    await Promise.all(Array.from({ length: 3 }, () => trader.request(commitToProject, fields)));
    expect(await coins(trader)).toBe('800');
    expect(await trader.request(overview)).toMatchObject({ total: '900', coin: '800', subscribe: '100' });
    expect(await trader.request(commitToProject, purchase(id, '50'))).toMatchObject({ myCommitted: '150' });
    const refused = async (fields: Parameters<typeof trader.call<typeof commitToProject>>[1]) => {
      const { errKey, data } = await trader.call(commitToProject, fields);
      return { errKey, ...(data as object) };
    };
    expect(await refused(purchase(id, '860'))).toMatchObject({
      errKey: 'l.subscribe_user_max',
      limit: '850',
      value: '860',
    });
    expect(await refused(purchase(id, '800'))).toMatchObject({ errKey: 'l.insufficient_balance' });
    expect(await refused(purchase(soon, '10'))).toMatchObject({ errKey: 'l.subscribe_soon' });
    expect(await refused({ ...purchase(id, '10'), agree: '0' })).toMatchObject({
      errKey: 'l.finance_agreement',
    });
    expect(await trader.call(reduceCommitment, { id, amount: '145' })).toMatchObject({
      errKey: 'l.subscribe_keeps_min',
      data: { limit: '10', value: '145' },
    });
    expect(await trader.request(reduceCommitment, { id, amount: '150' })).toMatchObject({ committed: '0' });
    expect(await coins(trader)).toBe('900');
    expect(await projectOf(id)).toMatchObject({ participants: 0, status: 1, stage: 'committing' });
    await exchange.advanceTime(2 * DAY_MS);
    expect(await refused(purchase(id, '10'))).toMatchObject({ errKey: 'l.subscribe_ended' });
    expect(await exchange.call(projects, { status: '3' })).toMatchObject({ code: 1 });
    await settle();
  });

  it('SUB-005 SUB-006 SUB-007 SUB-008 SUB-009 a sale runs from its end to the last released token', async () => {
    const id = await createProject(exchange, 'sale', { linearDays: 4, lockDays: 1 });
    const people = await Promise.all(
      ['100', '60', '10'].map(async (amount) => {
        const trader = await createSaver(exchange, { USDT: '100' });
        await commitFor(exchange, trader.id, id, amount);
        return trader;
      }),
    );
    const [first, , third] = people as [TestTrader, TestTrader, TestTrader];
    await exchange.advanceTime(DAY_MS + MINUTE_MS);
    await settle();
    const announced = await projectOf(id);
    expect(announced).toMatchObject({ stage: 'announced', status: 2 });
    expect(announced.sold).toBeUndefined();
    const file = (await exchange.call(subscriptionFile, { id, fileKind: 'commitments' })).data;
    expect(sha256(file.content)).toBe(announced.commitmentHash);
    await settle();
    expect((await projectOf(id)).stage).toBe('announced');
    await exchange.advanceTime(2 * MINUTE_MS);
    await settle();
    await settle();
    // 170 USDT were committed for 1000 tokens. The cap of 500 tokens limits the first participant; the
    // two others share the rest in the ratio 60 to 10.
    const settledProject = await projectOf(id);
    expect(settledProject).toMatchObject({ stage: 'settled', sold: '999.99' });
    expect(settledProject.allocateTime).toBeGreaterThan(settledProject.announceTime! + MINUTE_MS - 1);
    const mine = await record(first, id);
    expect(mine).toMatchObject({ committed: '100', allocated: '500', cost: '50', refund: '50', settled: 1 });
    expect(mine).toMatchObject({ unlocked: '0', claimable: '0' });
    expect(await record(third, id)).toMatchObject({ allocated: '71.42', cost: '7.142', refund: '2.858' });
    expect(await coins(third)).toBe('92.858');
    const result = (await exchange.call(subscriptionFile, { id, fileKind: 'result' })).data;
    expect(sha256(result.content)).toBe(settledProject.resultHash);
    const files = { 'commitments.json': file, 'result.json': result, 'project.json': settledProject };
    expect(runVerifier('subscription', files)).toEqual({ isValid: true, output: 'holds\n' });
    const richer = result.content.replace('"allocated":"500"', '"allocated":"501"');
    expect(runVerifier('subscription', { 'commitments.json': file, 'result.json': richer }).output).toContain(
      'has another allocation',
    );
    const { results } = JSON.parse(result.content) as { results: { line: string; allocated: string }[] };
    expect(mine.line).toBe(sha256(`${mine.salt}:${first.id}`));
    expect(results.find(({ line }) => line === mine.line)?.allocated).toBe('500');
    // The answer of the coin list now contains the new token, with a balance of 0.
    expect(await coins(first, 'SALE')).toBe('0');
    await exchange.advanceTime(DAY_MS);
    await first.request(overview);
    expect(await first.request(claimTokens, { id: mine.id })).toMatchObject({ released: '0' });
    await exchange.advanceTime(3 * DAY_MS);
    const claimed = await Promise.all(
      Array.from({ length: 3 }, () => first.request(claimTokens, { id: mine.id })),
    );
    // Three concurrent claims may each move some of the tokens that are released by now; together they move each of
    // these tokens exactly once.
    const together = claimed.reduce((all, { released }) => all.plus(d(released)), Decimal.zero);
    expect(together.toString()).toBe((await record(first, id)).released);
    expect(await coins(first, 'SALE')).toBe(together.toString());
    expect(together.isMore(d('200')) && together.isLess(d('300'))).toBe(true);
    expect((await third.call(claimTokens, { id: mine.id })).errKey).toBe('l.not_found');
    await exchange.advanceTime(3 * DAY_MS);
    await first.request(claimTokens, { id: mine.id });
    expect(await coins(first, 'SALE')).toBe('500');
    expect(await record(first, id)).toMatchObject({ status: 3, released: '500', claimable: '0' });
    const titles = (await first.request(messagePage, { pageSize: '50' })).list.map(({ title }) => title);
    expect(titles.filter((title) => title.includes('You received 500 SALE')).length).toBe(1);
  });

  it('SUB-023 the public file contains a commitment that was still being stored when the sale ended', async () => {
    const id = await createProject(exchange, 'lastword');
    const [early, late] = await Promise.all([
      createSaver(exchange, { USDT: '100' }),
      createSaver(exchange, { USDT: '100' }),
    ]);
    await commitFor(exchange, early.id, id, '40');
    const { jobs } = exchange.doors.subscription;
    const blockedConnection = await exchange.database.pool.connect();
    await blockedConnection.query('begin');
    await blockedConnection.query('lock table subscription_agreement in exclusive mode');
    const committing = commitFor(exchange, late.id, id, '60');
    await eventually(async () => {
      const { rows } = await exchange.database.pool.query(
        `select 1 from pg_locks l join pg_class c on c.oid = l.relation
         where c.relname = 'subscription_agreement' and not l.granted`,
      );
      expect(rows.length).toBeGreaterThan(0);
    });
    exchange.clock.shift(DAY_MS);
    const advancing = jobs.executeDue(0);
    await new Promise((resolve) => setTimeout(resolve, 200));
    await blockedConnection.query('rollback');
    blockedConnection.release();
    await Promise.all([committing, advancing]);
    await jobs.executeDue(0);
    const [file, result] = await Promise.all(
      (['commitments', 'result'] as const).map(async (fileKind) => {
        const { data } = await exchange.call(subscriptionFile, { id, fileKind });
        return data;
      }),
    );
    const { commitments } = JSON.parse(file!.content) as { commitments: { amount: string }[] };
    expect(commitments.map(({ amount }) => amount).toSorted()).toEqual(['40', '60']);
    const files = { 'commitments.json': file, 'result.json': result, 'project.json': await projectOf(id) };
    expect(runVerifier('subscription', files)).toEqual({ isValid: true, output: 'holds\n' });
  });

  it.each(['BTC', 'USDT', 'DOGE'])(
    'SUB-690 SUB-691 a project whose token is called %s is refused by every entry point, with its field',
    async (symbol) => {
      const { subscription } = exchange.doors.subscription;
      const terms = projectTerms(exchange, `fake-${symbol.toLowerCase()}`, { symbol });
      const author = { by: 'test', reason: 'a test' };
      const refused = { refusal: { key: 'l.asset_exists', parameters: { field: 'symbol', value: symbol } } };
      await expect(subscription.publish(terms, author)).rejects.toMatchObject(refused);
      await expect(subscription.previewTerms(terms)).rejects.toMatchObject(refused);
    },
  );

  it('SUB-690 the token of another project, and one held by any account, cannot be used by a second project', async () => {
    const { subscription } = exchange.doors.subscription;
    const author = { by: 'test', reason: 'a test' };
    await createProject(exchange, 'taken');
    const otherTerms = projectTerms(exchange, 'other', { symbol: 'TAKEN' });
    await expect(subscription.publish(otherTerms, author)).rejects.toThrow('l.asset_exists');
    await exchange.aUser({ FOREIGN: '5' });
    const known = projectTerms(exchange, 'known', { symbol: 'FOREIGN' });
    await expect(subscription.publish(known, author)).rejects.toThrow('l.asset_exists');
    expect((await exchange.audit()).problems).toEqual([]);
  });

  it('SUB-692 LED-690 outside coins are never issued: a stored project with such a token pays nothing', async () => {
    const { jobs, subscription } = exchange.doors.subscription;
    const id = await createProject(exchange, 'disguise');
    const trader = await createSaver(exchange, { USDT: '100' });
    await commitFor(exchange, trader.id, id, '100');
    // Changes the project's token symbol to BTC. Only versions that did not check symbols could store such a project.
    const disguise = `update subscription_project set symbol = 'BTC', terms = jsonb_set(terms, '{symbol}', '"BTC"') where id = $1`;
    await exchange.database.pool.query(disguise, [id]);
    await exchange.advanceTime(DAY_MS + MINUTE_MS);
    await jobs.executeDue(0).catch(() => undefined);
    await jobs.executeDue(0).catch(() => undefined);
    expect(await projectOf(id)).toMatchObject({ stage: 'announced' });
    expect((await exchange.audit()).problems).toEqual([]);
    await subscription.cancel('disguise');
    // The failed work on the token sale is tried again only after a pause, which passes here.
    await exchange.advanceTime(2 * MINUTE_MS);
    await jobs.executeDue(0);
    expect(await projectOf(id)).toMatchObject({ stage: 'refunded' });
    expect(await coins(trader)).toBe('100');
    await exchange.database.pool.query(`update subscription_project set symbol = 'DISGUISE' where id = $1`, [
      id,
    ]);
  });

  it('LED-691 the audit reports a token issued outside its project, and a claim of it is refused', async () => {
    const trader = await createSaver(exchange, { USDT: '100' });
    const { id, commitmentId } = await soldProject(exchange, trader);
    expect((await exchange.audit()).problems).toEqual([]);
    const { pool } = exchange.database;
    await pool.query(`update subscription_project set sold = sold + 1 where id = $1`, [id]);
    expect((await exchange.audit()).problems).toMatchObject([{ invariant: 'M21', asset: 'SOLD' }]);
    await pool.query(`update subscription_project set sold = sold - 1, symbol = 'BTC' where id = $1`, [id]);
    const named = (await exchange.audit()).problems.filter(({ invariant }) => invariant === 'M21');
    expect(named.map(({ asset }) => asset)).toEqual(expect.arrayContaining(['SOLD', 'BTC']));
    await pool.query(
      `update subscription_project set terms = jsonb_set(terms, '{symbol}', '"BTC"') where id = $1`,
      [id],
    );
    expect(await trader.call(claimTokens, { id: commitmentId })).toMatchObject({
      errKey: 'l.subscribe_foreign',
    });
    await pool.query(
      `update subscription_project set symbol = 'SOLD', terms = jsonb_set(terms, '{symbol}', '"SOLD"') where id = $1`,
      [id],
    );
    expect((await exchange.audit()).problems).toEqual([]);
  });

  it('JOB-692 a failing project does not block the projects after it', async () => {
    const { jobs } = exchange.doors.subscription;
    const [bad, good] = [await createProject(exchange, 'poisoned'), await createProject(exchange, 'healthy')];
    const trader = await createSaver(exchange, { USDT: '100' });
    await commitFor(exchange, trader.id, bad, '50');
    await commitFor(exchange, trader.id, good, '50');
    await exchange.advanceTime(DAY_MS + MINUTE_MS);
    const mend = await poisonRows(exchange, 'subscription_file', 'insert', `new.project = '${bad}'`);
    await eventually(async () => {
      await jobs.executeDue(0);
      expect(await projectOf(good)).toMatchObject({ stage: 'settled' });
    });
    expect(await projectOf(bad)).toMatchObject({ stage: 'committing' });
    expect(exchange.doors.bulkheads.failing()).toMatchObject([
      { work: 'subscription projects', key: 'poisoned' },
    ]);
    await mend();
    await exchange.advanceTime(MINUTE_MS);
    await eventually(async () => {
      await jobs.executeDue(0);
      expect(await projectOf(bad)).toMatchObject({ stage: 'settled' });
    });
  });

  it('SUB-982 cancelling a failing, paused project refunds its commitments at once', async () => {
    const { jobs, subscription } = exchange.doors.subscription;
    const id = await createProject(exchange, 'stuck');
    const trader = await createSaver(exchange, { USDT: '100' });
    await commitFor(exchange, trader.id, id, '50');
    await exchange.advanceTime(DAY_MS + MINUTE_MS);
    const mend = await poisonRows(exchange, 'subscription_file', 'insert', `new.project = '${id}'`);
    await jobs.executeDue(0);
    await exchange.advanceTime(MINUTE_MS);
    await jobs.executeDue(0);
    expect(exchange.doors.bulkheads.failing()).toMatchObject([{ key: 'stuck', failures: 2 }]);
    await mend();
    await subscription.cancel('stuck');
    expect(await projectOf(id)).toMatchObject({ stage: 'announced' });
    expect(exchange.doors.bulkheads.failing()).toEqual([]);
    await exchange.advanceTime(MINUTE_MS);
    await jobs.settle();
    expect(await record(trader, id)).toMatchObject({ settled: 1, refund: '50' });
    expect(await projectOf(id)).toMatchObject({ stage: 'refunded' });
  });

  it('SUB-983 the token of a settled sale is listed by a later run if the run that settled it was interrupted', async () => {
    const { jobs } = exchange.doors.subscription;
    const { assets } = exchange.doors;
    const id = await createProject(exchange, 'latelist');
    const trader = await createSaver(exchange, { USDT: '100' });
    await commitFor(exchange, trader.id, id, '50');
    await exchange.advanceTime(DAY_MS + MINUTE_MS);
    const list = vi.spyOn(assets, 'list').mockImplementation(() => {
      throw new Error('a planted interruption');
    });
    await eventually(async () => {
      await jobs.executeDue(0).catch(() => undefined);
      expect(await projectOf(id)).toMatchObject({ stage: 'settled' });
    });
    expect(list).toHaveBeenCalled();
    list.mockRestore();
    expect(assets.findIssued('LATELIST')).toBeUndefined();
    await jobs.executeDue(0);
    expect(assets.findIssued('LATELIST')).toMatchObject({ code: 'LATELIST' });
  });

  it('SUB-693 a claim moves amounts in the token’s digits, and the last claim moves the remainder', async () => {
    const id = await createProject(exchange, 'digits', { tokenDigits: 1, lockDays: 0, linearDays: 2 });
    const trader = await createSaver(exchange, { USDT: '100' });
    await commitFor(exchange, trader.id, id, '33');
    await exchange.advanceTime(DAY_MS + MINUTE_MS);
    await exchange.doors.subscription.jobs.executeDue(0);
    await exchange.doors.subscription.jobs.executeDue(0);
    const participation = await record(trader, id);
    await exchange.advanceTime(1.6 * DAY_MS);
    const { released } = await trader.request(claimTokens, { id: participation.id });
    expect(d(released).isPositive() && d(released).fits(1)).toBe(true);
    expect(d((await record(trader, id)).claimable).fits(1)).toBe(true);
    await exchange.advanceTime(2 * DAY_MS);
    await trader.request(claimTokens, { id: participation.id });
    expect(await coins(trader, 'DIGITS')).toBe('330');
  });

  it('SUB-694 SUB-695 a cancelled project stays cancelled; publishing the same terms again creates no version', async () => {
    const { subscription } = exchange.doors.subscription;
    const author = { by: 'test', reason: 'a test' };
    const terms = projectTerms(exchange, 'revived', { startAt: later(exchange.clock.now(), DAY_MS) });
    const soon = {
      ...terms,
      endAt: later(terms.startAt, DAY_MS),
      listAt: later(terms.startAt, 2 * DAY_MS),
    };
    const first = await subscription.publish(soon, author);
    expect(await subscription.publish(soon, author)).toEqual(first);
    expect(await subscription.versions('revived', { before: undefined, limit: 10 })).toHaveLength(1);
    const changed = { ...soon, lockDays: 3 };
    expect(await subscription.publish(changed, author)).toMatchObject({ version: 2 });
    await subscription.cancel('revived');
    await expect(subscription.publish({ ...changed, lockDays: 4 }, author)).rejects.toThrow(
      'l.subscribe_ended',
    );
    await exchange.advanceTime(DAY_MS + MINUTE_MS);
    const trader = await createSaver(exchange, { USDT: '100' });
    expect(await trader.call(commitToProject, purchase(first.id, '10'))).toMatchObject({
      errKey: 'l.subscribe_ended',
    });
  });

  it('SUB-010 SUB-011 a missed soft cap or a cancellation by an operator refunds everything', async () => {
    const missed = await createProject(exchange, 'missed', { softCap: d('500') });
    const ended = await createProject(exchange, 'ended');
    const trader = await createSaver(exchange, { USDT: '300' });
    await commitFor(exchange, trader.id, missed, '100');
    await commitFor(exchange, trader.id, ended, '100');
    const { subscription } = exchange.doors.subscription;
    await subscription.cancel('ended');
    await exchange.advanceTime(DAY_MS + MINUTE_MS);
    await settle();
    await exchange.advanceTime(2 * MINUTE_MS);
    await settle();
    expect(await coins(trader)).toBe('300');
    for (const id of [missed, ended]) {
      expect(await projectOf(id)).toMatchObject({ stage: 'refunded', status: 3 });
      expect(await record(trader, id)).toMatchObject({ allocated: '0', cost: '0', refund: '100' });
    }
    const author = { by: 'test', reason: 'too late' };
    await expect(subscription.publish(projectTerms(exchange, 'missed'), author)).rejects.toThrow(
      'l.subscribe_begun',
    );
    expect((await exchange.audit()).problems).toEqual([]);
  });

  it('SUB-980 SUB-981 with 501 other projects the open one is listed first, a request returns one commitment, and of two concurrent publications one is accepted', async () => {
    const { database } = exchange.doors;
    const startAt = later(exchange.clock.now(), 10 * DAY_MS);
    const times = { startAt, endAt: later(startAt, DAY_MS), listAt: later(startAt, 2 * DAY_MS) };
    const oldest = await createProject(exchange, 'many-0', times);
    const copies = async (code: string, count: string) =>
      sql`insert into subscription_project
        select (jsonb_populate_record(p, jsonb_build_object('code', lower(${code} || n), 'symbol', ${code} || n,
          'id', '00000000-0000-7000-8000-' || left(md5(${code} || n), 12)))).*
        from subscription_project p, generate_series(1, ${sql.raw(count)}) n where p.id = ${oldest}`.execute(
        database.store,
      );
    await copies('M', '501');
    const newest = await createProject(exchange, 'many-newest');
    const trader = await createSaver(exchange, { USDT: '900' });
    await trader.request(commitToProject, purchase(newest, '100'));
    expect((await exchange.call(projects, { pageSize: '10' })).data.list.map(({ id }) => id)).toContain(
      newest,
    );
    const commitment = await record(trader, newest);
    expect(await trader.request(subscriptionRecordDetail, { id: commitment.id })).toEqual(commitment);
    const other = await createSaver(exchange, { USDT: '900' });
    expect(await other.call(subscriptionRecordDetail, { id: commitment.id })).toMatchObject({
      errKey: 'l.not_found',
    });
    const { rows } = await sql<{ count: bigint }>`select count(*) as count from subscription_project`.execute(
      database.store,
    );
    await copies('N', String(999 - Number(rows[0]!.count)));
    const published = await Promise.allSettled(
      ['last-a', 'last-b'].map((code) => createProject(exchange, code)),
    );
    expect(published.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
    const [refused] = published.flatMap((each) => (each.status === 'rejected' ? [String(each.reason)] : []));
    expect(refused).toContain('1000');
  });
});
