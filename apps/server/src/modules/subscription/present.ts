import type { Decimal } from '@exchange/core/decimal.ts';
import { textIn, type Locale } from '@exchange/core/locale.ts';
import { ALLOCATION_VERSION } from '@exchange/core/subscription.ts';
import type { DataOf } from '@exchange/wire/endpoint.ts';
import {
  PROJECT_STATUS,
  type projectDetail,
  type projects,
  type subscriptionRecords,
} from '@exchange/wire/subscription.ts';
import type { ParticipationView, ProjectView } from './service.ts';
import { AGREEMENT_VERSION } from './domain.ts';

type ProjectRow = DataOf<typeof projects>['list'][number];
type RecordRow = DataOf<typeof subscriptionRecords>['list'][number];

export function presentProject({ project, status, logo }: ProjectView, locale: Locale): ProjectRow {
  const { softCap, sold } = project;
  return {
    id: project.id,
    name: textIn(project.name, locale),
    symbol: project.symbol,
    logo,
    totalSupply: project.totalSupply.toString(),
    issueAmount: project.issueAmount.toString(),
    ratio: project.ratio.toString(),
    quoteCoin: project.quote,
    quoteDigits: project.quoteDigits,
    tokenDigits: project.tokenDigits,
    minAmount: project.minAmount.toString(),
    maxAmount: project.maxAmount.toString(),
    hardCapUser: project.hardCapUser.toString(),
    ...(softCap === undefined ? {} : { softCap: softCap.toString() }),
    startTime: project.startAt,
    endTime: project.endAt,
    listTime: project.listAt,
    lockDays: project.lockDays,
    linearDays: project.linearDays,
    status: PROJECT_STATUS[status],
    committed: project.committed.toString(),
    participants: project.participants,
    stage: project.stage,
    ...(sold === undefined ? {} : { sold: sold.toString() }),
  };
}

export function presentDetail(
  seen: ProjectView & { readonly mine: Decimal; readonly estimate: Decimal },
  locale: Locale,
): DataOf<typeof projectDetail> {
  const { project, mine, estimate } = seen;
  const { commitmentHash, announcedAt, resultHash, allocatedAt } = project;
  return {
    ...presentProject(seen, locale),
    about: textIn(project.about, locale),
    tokenomics: textIn(project.tokenomics, locale),
    whitepaper: textIn(project.whitepaper, locale),
    agreementVersion: AGREEMENT_VERSION,
    version: project.version,
    ...(commitmentHash === undefined ? {} : { commitmentHash }),
    ...(announcedAt === undefined ? {} : { announceTime: announcedAt }),
    ...(resultHash === undefined ? {} : { resultHash }),
    ...(allocatedAt === undefined ? {} : { allocateTime: allocatedAt }),
    algorithm: ALLOCATION_VERSION,
    myCommitted: mine.toString(),
    estimate: estimate.toString(),
  };
}

export function presentPart(part: ParticipationView, locale: Locale): RecordRow {
  const { project, commitment, unlocked, lockUntil, unlockedAt } = part;
  const { id, amount, allocated, cost, claimed, salt, settledAt } = commitment;
  return {
    id,
    projectId: project.id,
    name: textIn(project.name, locale),
    symbol: project.symbol,
    logo: part.logo,
    quoteCoin: project.quote,
    committed: amount.toString(),
    allocated: allocated.toString(),
    cost: cost.toString(),
    refund: (settledAt === undefined ? cost : amount.minus(cost)).toString(),
    unlocked: unlocked.toString(),
    released: claimed.toString(),
    claimable: unlocked.minus(claimed).toString(),
    lockUntil,
    unlockedTime: unlockedAt,
    status: PROJECT_STATUS[part.status],
    settled: settledAt === undefined ? 0 : 1,
    line: part.line,
    salt,
  };
}
