import type { OperatorGate } from '../../platform/console/gate.ts';
import type { Operation } from '../../platform/console/operation.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database/database.ts';
import type { Log } from '../../platform/log.ts';
import type { Mail } from '../../platform/mail/mail.ts';
import type { ServerSecret } from '../../platform/secrets/server-secret.ts';
import type { HashCost } from '../../platform/secrets/slow-hash.ts';
import { OperatorAccounts, type DemoLogin } from './accounts.ts';
import type { AuditLooks } from './audit-operations.ts';
import { Authenticators } from './authenticators.ts';
import { Confirmations } from './confirmations.ts';
import { Guesses } from './guesses.ts';
import { Invitations } from './invitations.ts';
import { operatorOperations } from './operations.ts';
import { OnceByKey } from './once-by-key.ts';
import { Proposals } from './proposals.ts';
import { interruptProposals } from './repository.ts';

/** operators: who may use the operator's port, what waits for a second person, and the log of what was done. */
export interface OperatorsModule {
  readonly name: 'operators';
  readonly gate: OperatorGate;
  readonly operations: readonly Operation[];
  /** A demo's ready accounts. */
  readonly demoLogins: readonly DemoLogin[];
  /** The code by which the first owner begins, after the start; undefined when there is one. */
  readonly setUpCode: () => string | undefined;
  start(): Promise<void>;
}

/** Builds the module; nothing is read or written before its start. */
export function createOperators(deps: {
  readonly mode: 'demo' | 'live';
  readonly clock: Clock;
  readonly database: Database;
  readonly secret: ServerSecret;
  readonly mail: Mail;
  readonly hashCost: HashCost | undefined;
  readonly relatedTo: AuditLooks['relatedTo'];
  readonly log: Pick<Log, 'warn'>;
}): OperatorsModule {
  const { database, relatedTo } = deps;
  const factors = { ...deps, guesses: new Guesses(deps), authenticators: new Authenticators(deps) };
  const invitations = new Invitations(deps);
  const accounts = new OperatorAccounts({ ...factors, invitations });
  const confirmations = new Confirmations(factors);
  const proposals = new Proposals({ ...deps, accounts, confirmations });
  const calls = new OnceByKey(proposals);
  let setUpCode: string | undefined;
  return {
    name: 'operators',
    gate: {
      use: (operations) => proposals.use(operations),
      signIn: async (given) => {
        const opened = await accounts.signIn(given);
        await confirmations.forget(given.name);
        await proposals.note('signedIn', given.name);
        return opened;
      },
      signOut: async (token) => {
        const operator = await accounts.operatorOf(token);
        await accounts.signOut(token);
        if (operator !== undefined) await proposals.note('signedOut', operator.name);
      },
      setUp: async (given, address) => {
        const made = await accounts.setUp(given, address);
        await proposals.note('setUp', made.name);
        return made;
      },
      replaceAuthenticator: async (given, origin) => {
        const made = await accounts.replaceAuthenticator(given, origin);
        await confirmations.forget(made.name);
        await proposals.note('authenticatorReplaced', made.name);
        return made;
      },
      operatorOf: (token, isBackground) => accounts.operatorOf(token, isBackground),
      preview: (operation, call) => proposals.preview(operation, call),
      perform: (operation, call, marks) => calls.perform(operation, call, marks),
      demoCodes: deps.mode === 'demo' ? () => accounts.demoCodes() : undefined,
    },
    operations: operatorOperations({ accounts, invitations, proposals, database, relatedTo }),
    demoLogins: accounts.demoLogins,
    setUpCode: () => setUpCode,
    start: async () => {
      await interruptProposals(database.store);
      setUpCode = await accounts.prepare();
    },
  };
}
