import { Decimal } from '@exchange/core/decimal.ts';
import type { UserId } from '@exchange/core/ids.ts';
import { DAY_MS, later } from '@exchange/core/time.ts';
import type { TestExchange, TestTrader } from '../../../../testing/exchange.ts';
import type { ProjectTerms } from '../domain.ts';
import { AGREEMENT_VERSION } from '../domain.ts';

/**
 * Returns the default terms of test projects: 1000 tokens are offered at 10 tokens per USDT; the sale began a
 * second ago and lasts a day.
 */
export function projectTerms(
  exchange: TestExchange,
  code: string,
  overrides: Partial<ProjectTerms> = {},
): ProjectTerms {
  const d = (text: string) => Decimal.parse(text);
  const startAt = later(exchange.clock.now(), -1_000);
  const text = { 'en-US': `Project ${code}`, 'zh-CN': `项目 ${code}` };
  return {
    code,
    symbol: code.replaceAll('-', '').toUpperCase().slice(0, 10),
    name: text,
    about: text,
    tokenomics: text,
    whitepaper: text,
    totalSupply: d('1000000'),
    issueAmount: d('1000'),
    ratio: d('10'),
    hardCapUser: d('500'),
    tokenDigits: 2,
    quote: 'USDT',
    quoteDigits: 8,
    minAmount: d('10'),
    maxAmount: d('1000'),
    softCap: undefined,
    startAt,
    endAt: later(startAt, DAY_MS),
    listAt: later(startAt, 2 * DAY_MS),
    lockDays: 10,
    linearDays: 10,
    agreementVersion: AGREEMENT_VERSION,
    ...overrides,
  };
}

/** Publishes a token sale project for a test and returns its id. */
export async function createProject(
  exchange: TestExchange,
  code: string,
  overrides: Partial<ProjectTerms> = {},
): Promise<string> {
  const { subscription } = exchange.doors.subscription;
  const terms = projectTerms(exchange, code, overrides);
  return (await subscription.publish(terms, { by: 'test', reason: 'a test' })).id;
}

/** Commits an amount by calling the service directly, so that the limits of HTTP requests do not apply. */
export function commitFor(exchange: TestExchange, owner: UserId, project: string, amount: string) {
  const request = { project, amount: Decimal.parse(amount), agreed: AGREEMENT_VERSION };
  return exchange.doors.subscription.subscription.commit(owner, request);
}

/** Creates a settled token sale that began 40 days ago, with a commitment of a trader. */
export async function soldProject(exchange: TestExchange, { id: owner }: Pick<TestTrader, 'id'>) {
  const { subscription, jobs } = exchange.doors.subscription;
  const startAt = later(exchange.clock.now(), -40 * DAY_MS);
  const times = { startAt, endAt: later(startAt, DAY_MS), listAt: later(startAt, 2 * DAY_MS) };
  const id = await createProject(exchange, 'sold', times);
  await subscription.commitForDemo(owner, 'sold', Decimal.parse('20'), later(startAt, 1));
  await jobs.executeDue(0);
  const { list } = await subscription.records(owner, undefined, { pageNo: 1, pageSize: 1 });
  return { id, commitmentId: list[0]!.commitment.id };
}
