import { createHash } from 'node:crypto';
import { refusal, Refused } from '@exchange/core/refusal.ts';
import { later, MINUTE_MS } from '@exchange/core/time.ts';
import type { Locale } from '@exchange/core/locale.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database, Tx } from '../../platform/database/database.ts';
import type { Mail } from '../../platform/mail/mail.ts';
import { newId, randomText, type Random } from '../../platform/secrets/random.ts';
import { sameDigest, type ServerSecret } from '../../platform/secrets/server-secret.ts';
import type { Refund } from '../../platform/http/demands.ts';
import type { CodeRequestSource, CodeRepository, OpenCode } from './code-repository.ts';
import { challengeInvalid, checkWork, demandWork, type SentSolution } from './challenges.ts';
import { CODE_RULES, codeDecision, digitsOfNext, type Lane, type Purpose } from './domain/mailed-code.ts';
import type { ActionWords } from './confirmed-action.ts';
import { codeMessage, noticeMessage } from './words/mails.ts';
import type { NoticeName } from './words/shape.ts';

const CODE_KEY = 'email-code';

export interface CodeRequest extends CodeRequestSource {
  readonly about?: string | undefined;
  readonly locale: Locale;
  /**
   * The notice that is mailed instead of a code which would be useless, for example to an address without an account;
   * undefined if the code is mailed.
   */
  readonly instead: NoticeName | undefined;
  /**
   * Description of the request that the mailed code confirms, for the mail; undefined if the purpose describes it
   * sufficiently.
   */
  readonly actionWords?: ActionWords | undefined;
  /** The proof-of-work challenge that the caller solved; undefined if none. */
  readonly work?: SentSolution | undefined;
}

/** What a caller presents to prove access to a mailbox: a mailed code, or a ticket for which a code was exchanged. */
export interface Proof {
  readonly code?: string | undefined;
  readonly ticket?: string | undefined;
}

/**
 * A mailed code or ticket that was verified. It has to be marked as used in the transaction of the change that it
 * authorizes.
 */
export interface ProvenAddress {
  /**
   * Marks the mailed code or ticket as used, or refuses if a concurrent call used it. `claim` identifies the request
   * that uses a code, so that `wasUsedFor` recognizes a repetition.
   */
  use(tx: Tx, claim?: Buffer): Promise<void>;
}

/**
 * What a mailed code proves: that a caller of this category can read the mails to this address and requested the code
 * for this purpose.
 */
export interface Proving {
  readonly email: string;
  readonly purpose: Purpose;
  readonly lane: Lane;
  /** The request that the mailed code confirms; undefined if the code is valid for every request of its purpose. */
  readonly about?: string | undefined;
}

interface Deps {
  readonly database: Database;
  readonly clock: Clock;
  readonly random: Random;
  readonly mail: Mail;
  readonly secret: ServerSecret;
  readonly repository: CodeRepository;
}

/** Mailed codes: sends them, checks them, and exchanges them for tickets. */
export class MailedCodes {
  private readonly deps: Deps;

  constructor(deps: Deps) {
    this.deps = deps;
  }

  /**
   * Mails a code; if a code would be useless, mails a notice to the owner of the mailbox instead. Both cases write the
   * same rows and one mail, so that neither the answer nor its timing reveals whether an account exists. Returns the
   * least number of seconds until the next request. Refuses with `l.code_wait` or `l.code_budget`, with
   * `l.code_challenge` if proof of work is required, and with `l.challenge_invalid` if the solution is invalid.
   */
  async send(request: CodeRequest): Promise<{ wait: number }> {
    const { database, clock, random, mail, secret, repository } = this.deps;
    const { email, purpose, locale } = request;
    const work = checkWork(secret, request.work ?? {}, request, clock.now());
    await database.transaction(async (tx) => {
      const now = clock.now();
      const counts = await repository.countRequests(tx, request, now);
      if (work !== undefined && (await repository.isSpent(tx, work.signature))) throw challengeInvalid();
      const decision = codeDecision(counts, now, work?.bits);
      if ('refused' in decision) throw new Refused(decision.refused);
      if ('work' in decision) throw new Refused(demandWork(secret, random, request, decision.work, now));
      const id = newId(random, now);
      const digits = digitsOfNext(counts, now);
      const code = randomText(random, '0123456789', digits);
      await repository.insert(tx, {
        id,
        email,
        purpose,
        lane: request.lane,
        hash: sealOf(secret, id, request, code),
        digits,
        origin: request.origin,
        network: request.network,
        createdAt: now,
        expiresAt: later(now, CODE_RULES.validMs),
        challenge: work?.signature,
      });
      // A code that is not mailed is stored too, so that refusing a wrong guess takes the same time.
      const minutes = CODE_RULES.validMs / MINUTE_MS;
      const message =
        request.instead === undefined
          ? { ...codeMessage(locale, purpose, code, minutes, request.actionWords), code }
          : noticeMessage(locale, request.instead);
      await mail.write(tx, { to: email, purpose: `code.${purpose}`, order: 'first', ...message });
    });
    return { wait: CODE_RULES.waitS };
  }

  /**
   * Verifies a code or ticket. Returns an object whose `use` marks it as used within a transaction;
   * undefined if it is wrong. A check of a code, whether right or wrong, uses up one attempt of each open
   * code that the caller may try.
   */
  async check(proving: Proving, proof: Proof): Promise<ProvenAddress | undefined> {
    const { email, purpose, lane } = proving;
    const { clock, repository } = this.deps;
    if (proof.ticket !== undefined) {
      const hash = ticketHash(proof.ticket);
      if (!(await repository.hasTicket(hash, email, purpose, clock.now()))) return undefined;
      return { use: async (tx) => assertUsed(await repository.consumeTicket(tx, hash), 'l.ticket_invalid') };
    }
    if (proof.code === undefined) return undefined;
    const { code } = proof;
    const codes = await this.deps.database.transaction((tx) =>
      repository.countTries(tx, email, purpose, lane, clock.now()),
    );
    const matching = codes.find(({ id, hash }) =>
      sameDigest(sealOf(this.deps.secret, id, proving, code), hash),
    );
    if (matching === undefined) return undefined;
    return {
      use: async (tx, claim) =>
        assertUsed(await repository.close(tx, matching.id, clock.now(), claim), 'l.code_invalid'),
    };
  }

  /** Verifies a mailed code or ticket as `check` does, but refuses a wrong one. */
  async prove(proving: Proving, proof: Proof): Promise<ProvenAddress> {
    const proven = await this.check(proving, proof);
    if (proven === undefined) throw wrongProof(proof);
    return proven;
  }

  /**
   * True if `code` is a mailed code that was used for the request `claim`, has not expired and has attempts left. Each
   * call uses up one attempt of every code that was used for that request.
   */
  async wasUsedFor(proving: Proving, { code }: Proof, claim: Buffer): Promise<boolean> {
    if (code === undefined) return false;
    const { database, clock, repository, secret } = this.deps;
    const codes = await database.transaction((tx) =>
      repository.takeTriesOfClaimed(tx, proving.email, proving.purpose, claim, clock.now()),
    );
    return codes.some(({ id, hash }) => sameDigest(sealOf(secret, id, proving, code), hash));
  }

  /**
   * Verifies a mailed code and marks it as used at once; undefined if it is wrong. Uses up attempts as `check` does.
   * `claim` identifies the request: for the same claim the code is accepted again, also after its expiry. `giveBack`
   * makes the code usable again and restores the attempt; it is undefined if an earlier attempt of the same request had
   * used the code.
   */
  async claim(
    proving: Proving,
    code: string,
    claim: Buffer | undefined,
  ): Promise<{ giveBack: Refund | undefined } | undefined> {
    const { database, clock, repository, secret } = this.deps;
    const { email, purpose, lane } = proving;
    const isMatching = ({ id, hash }: OpenCode) => sameDigest(sealOf(secret, id, proving, code), hash);
    return database.transaction(async (tx) => {
      const now = clock.now();
      const matching = (await repository.countTries(tx, email, purpose, lane, now)).find(isMatching);
      if (matching !== undefined) {
        await repository.close(tx, matching.id, now, claim);
        return {
          giveBack: () => database.transaction((undoTx) => repository.reopen(undoTx, email, matching.id)),
        };
      }
      const claimedCodes = claim === undefined ? [] : await repository.claimedFor(tx, email, purpose, claim);
      return claimedCodes.some(isMatching) ? { giveBack: undefined } : undefined;
    });
  }

  /**
   * Exchanges a correct code, which is then used up, for a ticket, so that a form can continue on a second page without
   * the code. Refuses a wrong code.
   */
  async exchange(proving: Proving, code: string): Promise<{ ticket: string }> {
    const { database, clock, random, repository } = this.deps;
    const { email, purpose } = proving;
    const proven = await this.prove(proving, { code });
    const ticket = random.bytes(32).toString('base64url');
    await database.transaction(async (tx) => {
      await proven.use(tx);
      const now = clock.now();
      await repository.insertTicket(tx, {
        id: newId(random, now),
        token_hash: ticketHash(ticket),
        email,
        purpose,
        expires_at: BigInt(later(now, CODE_RULES.ticketMs)),
      });
    });
    return { ticket };
  }
}

/** The refusal of a missing or wrong mailed code or ticket; it names the form field of the code or ticket. */
export function wrongProof(proof: Proof): Refused {
  if (proof.ticket !== undefined)
    return new Refused(refusal('invalidField', 'l.ticket_invalid', { field: 'ticket' }));
  if (proof.code === undefined)
    return new Refused(refusal('invalidField', 'l.enter_code', { field: 'code' }));
  return new Refused(refusal('invalidField', 'l.code_invalid', { field: 'code' }));
}

function sealOf(
  secret: ServerSecret,
  id: string,
  { email, purpose, about }: Pick<Proving, 'email' | 'purpose' | 'about'>,
  code: string,
): Buffer {
  return secret.seal(CODE_KEY, id, email, purpose, code, ...(about === undefined ? [] : [about]));
}

function ticketHash(ticket: string): Buffer {
  return createHash('sha256').update(ticket).digest();
}

function assertUsed(isUsed: boolean, key: 'l.code_invalid' | 'l.ticket_invalid'): void {
  if (!isUsed) throw new Refused(refusal('invalidField', key));
}
