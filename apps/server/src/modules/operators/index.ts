import type { OperatorGate } from '../../platform/console/gate.ts';
import type { RecordSource } from '../../platform/console/records.ts';
import type { Operation } from '../../platform/console/operation.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database/database.ts';
import type { Log } from '../../platform/log.ts';
import type { Mail } from '../../platform/mail/mail.ts';
import type { ServerSecret } from '../../platform/secrets/server-secret.ts';
import type { HashCost } from '../../platform/secrets/slow-hash.ts';
import type { Jobs } from '../../platform/jobs/jobs.ts';
import { OperatorAccounts, type DemoLogin } from './accounts.ts';
import { decisionRecords, type AuditSources } from './audit-operations.ts';
import { Authenticators } from './authenticators.ts';
import { claimOperations } from './claim-operations.ts';
import { Claims } from './claims.ts';
import { Confirmations } from './confirmations.ts';
import { Guesses } from './guesses.ts';
import { Invitations } from './invitations.ts';
import { operatorOperations } from './operations.ts';
import { Periods } from './periods.ts';
import { Proposals } from './proposals.ts';
import { interruptProposals } from './repository.ts';
import { SeveralDecisions } from './several-operations.ts';
import { OperatorSubmissions } from './submissions.ts';

/** Interval in milliseconds at which confirmed calls of operators are applied whose start time has come. */
const APPLY_EVERY_MS = 5_000;

/**
 * operators: operator accounts, claims of queue rows, proposals that need a second operator, scheduled calls, and the
 * audit log.
 */
export interface OperatorsModule {
  readonly name: 'operators';
  readonly gate: OperatorGate;
  readonly operations: readonly Operation[];
  /** Decisions of operators about users, for the users' timelines. */
  readonly records: readonly RecordSource[];
  readonly demoLogins: readonly DemoLogin[];
  /**
   * One-time set-up code that `start` created for the first owner. It is undefined before `start`, in a demo,
   * and if an owner who is not disabled had signed in before the start.
   */
  readonly setUpCode: () => string | undefined;
  start(): Promise<void>;
}

/** Creates the module of operators and their console; it reads and writes nothing before `start`. */
export function createOperators(deps: {
  readonly mode: 'demo' | 'live';
  readonly clock: Clock;
  readonly database: Database;
  readonly secret: ServerSecret;
  readonly mail: Mail;
  readonly hashCost: HashCost | undefined;
  readonly relatedTo: AuditSources['relatedTo'];
  readonly log: Pick<Log, 'error' | 'warn'>;
  readonly jobs: Pick<Jobs, 'define'>;
}): OperatorsModule {
  const { database, relatedTo } = deps;
  const factors = { ...deps, guesses: new Guesses(deps), authenticators: new Authenticators(deps) };
  const invitations = new Invitations(deps);
  const accounts = new OperatorAccounts({ ...factors, invitations });
  const confirmations = new Confirmations(factors);
  const claims = new Claims({ ...deps, accounts });
  const periods = new Periods(deps);
  const proposals = new Proposals({ ...deps, accounts, confirmations, claims, periods });
  const several = new SeveralDecisions({ ...deps, proposals });
  const calls = new OperatorSubmissions({ ...deps, inner: proposals });
  deps.jobs.define('operators.applyScheduled', () => proposals.scheduled.run(), {
    cron: '* * * * *',
    everyMs: APPLY_EVERY_MS,
  });
  let setUpCode: string | undefined;
  return {
    name: 'operators',
    gate: {
      use: (operations) => proposals.use(operations),
      signIn: async (submitted) => {
        const opened = await accounts.signIn(submitted);
        await confirmations.resetCount(submitted.name);
        await proposals.recordEvent('signedIn', submitted.name);
        return opened;
      },
      signOut: async (token) => {
        const operator = await accounts.operatorOf(token);
        await accounts.signOut(token);
        if (operator !== undefined) await proposals.recordEvent('signedOut', operator.name);
      },
      setUp: async (submitted, address) => {
        const account = await accounts.setUp(submitted, address);
        await proposals.recordEvent('setUp', account.name);
        return account;
      },
      replaceAuthenticator: async (submitted, origin) => {
        const account = await accounts.replaceAuthenticator(submitted, origin);
        await confirmations.resetCount(account.name);
        await proposals.recordEvent('authenticatorReplaced', account.name);
        return account;
      },
      operatorOf: (token, isBackground) => accounts.operatorOf(token, isBackground),
      openPeriod: async (operator, session, code) => {
        await proposals.confirmSession(operator.name, code);
        const period = await periods.open(session);
        await proposals.recordEvent('periodOpened', operator.name);
        return period;
      },
      endPeriod: async (operator, session) => {
        if (await periods.end(session)) await proposals.recordEvent('periodEnded', operator.name);
      },
      periodOf: (session) => periods.find(session),
      preview: (operation, call, session) => proposals.preview(operation, call, session),
      perform: (operation, call, marks) => calls.perform(operation, call, marks),
      demoCodes: deps.mode === 'demo' ? () => accounts.demoCodes() : undefined,
    },
    operations: [
      ...operatorOperations({ accounts, invitations, proposals, several, database, relatedTo }),
      ...claimOperations({ ...deps, claims }),
    ],
    records: [decisionRecords({ database, relatedTo })],
    demoLogins: accounts.demoLogins,
    setUpCode: () => setUpCode,
    start: async () => {
      await interruptProposals(database.store);
      await proposals.scheduled.start();
      setUpCode = await accounts.prepare();
    },
  };
}
