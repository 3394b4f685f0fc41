import { createHash } from 'node:crypto';
import { refusal, Refused } from '@exchange/core/refusal.ts';
import { later, MINUTE_MS } from '@exchange/core/time.ts';
import type { Locale } from '@exchange/core/locale.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database, Tx } from '../../platform/database/database.ts';
import type { Mail } from '../../platform/mail/mail.ts';
import { newId, randomText, type Random } from '../../platform/secrets/random.ts';
import { sameDigest, type ServerSecret } from '../../platform/secrets/server-secret.ts';
import type { GiveBack } from '../../platform/http/demands.ts';
import type { Asking, CodeRepository, OpenCode } from './code-repository.ts';
import { challengeInvalid, checkWork, demandWork, type SentSolution } from './challenges.ts';
import { CODE_RULES, codeDecision, digitsOfNext, type Lane, type Purpose } from './domain/mailed-code.ts';
import type { ActWords } from './acts.ts';
import { codeMessage, noticeMessage } from './words/mails.ts';
import type { NoticeName } from './words/shape.ts';

const CODE_KEY = 'email-code';

export interface CodeRequest extends Asking {
  readonly about?: string | undefined;
  readonly locale: Locale;
  /** What is mailed instead of the code to somebody who has no use for it. */
  readonly instead: NoticeName | undefined;
  /** What the code is good for alone, as it is shown in the mail. */
  readonly shown?: ActWords | undefined;
  /** The challenge that the caller was given and has solved. */
  readonly work?: SentSolution | undefined;
}

/** What a caller shows to prove that he reads the mail of an address. */
export interface Proof {
  readonly code?: string | undefined;
  readonly ticket?: string | undefined;
}

/** A proof that was right; it counts once it is used up inside the change that it allows. */
export interface ProvenAddress {
  /** Uses the proof up, or refuses when a parallel call did. */
  use(tx: Tx): Promise<void>;
}

/** Which address is to be proven for what, and who proves it. */
export interface Proving {
  readonly email: string;
  readonly purpose: Purpose;
  readonly lane: Lane;
  /** What the code is good for alone; undefined for anything of its purpose. */
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

/** Six digits by mail: asked for, checked, exchanged for a ticket. */
export class MailedCodes {
  private readonly deps: Deps;

  constructor(deps: Deps) {
    this.deps = deps;
  }

  /**
   * Mails a code, or tells the owner of the mailbox why there is none. Whichever it is, the same rows are
   * written and one email goes out, so that neither the answer nor its time tells who has an account.
   * Gives the seconds until the next may be asked for. Refuses with `l.code_wait` or `l.code_budget`, with
   * `l.code_challenge` where the caller has to work first, and with `l.challenge_invalid` where the work is worth nothing.
   */
  async send(request: CodeRequest): Promise<{ wait: number }> {
    const { database, clock, random, mail, secret, repository } = this.deps;
    const { email, purpose, locale } = request;
    const work = checkWork(secret, request.work ?? {}, request, clock.now());
    await database.transaction(async (tx) => {
      const now = clock.now();
      const asked = await repository.asked(tx, request, now);
      if (work !== undefined && (await repository.isSpent(tx, work.signature))) throw challengeInvalid();
      const decision = codeDecision(asked, now, work?.bits);
      if ('refused' in decision) throw new Refused(decision.refused);
      if ('work' in decision) throw new Refused(demandWork(secret, random, request, decision.work, now));
      const id = newId(random, now);
      const digits = digitsOfNext(asked, now);
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
      // A code that is not mailed is still stored: guesses at it are refused as slowly as any others.
      const minutes = CODE_RULES.validMs / MINUTE_MS;
      const message =
        request.instead === undefined
          ? { ...codeMessage(locale, purpose, code, minutes, request.shown), code }
          : noticeMessage(locale, request.instead);
      await mail.write(tx, { to: email, purpose: `code.${purpose}`, order: 'first', ...message });
    });
    return { wait: CODE_RULES.waitS };
  }

  /**
   * Checks a code or a ticket that a caller of some lane shows; gives undefined when it is wrong. A wrong code
   * costs a try of each that is open.
   */
  async check(proving: Proving, proof: Proof): Promise<ProvenAddress | undefined> {
    const { email, purpose, lane } = proving;
    const { clock, repository } = this.deps;
    if (proof.ticket !== undefined) {
      const hash = ticketHash(proof.ticket);
      if (!(await repository.hasTicket(hash, email, purpose, clock.now()))) return undefined;
      return { use: async (tx) => assertUsed(await repository.takeTicket(tx, hash), 'l.ticket_invalid') };
    }
    if (proof.code === undefined) return undefined;
    const { code } = proof;
    const tried = await this.deps.database.transaction((tx) =>
      repository.takeTries(tx, email, purpose, lane, clock.now()),
    );
    const right = tried.find(({ id, hash }) => sameDigest(sealOf(this.deps.secret, id, proving, code), hash));
    if (right === undefined) return undefined;
    return {
      use: async (tx) => assertUsed(await repository.close(tx, right.id, clock.now()), 'l.code_invalid'),
    };
  }

  /** As `check`, but a wrong proof is refused. */
  async prove(proving: Proving, proof: Proof): Promise<ProvenAddress> {
    const proven = await this.check(proving, proof);
    if (proven !== undefined) return proven;
    if (proof.ticket !== undefined)
      throw new Refused(refusal('invalidField', 'l.ticket_invalid', { field: 'ticket' }));
    if (proof.code === undefined)
      throw new Refused(refusal('invalidField', 'l.enter_code', { field: 'code' }));
    throw new Refused(refusal('invalidField', 'l.code_invalid', { field: 'code' }));
  }

  /**
   * Uses a right code up at once; gives undefined when it is wrong. `claim` names what it is used for: it is
   * right for that again, where it has been used for it. What is given back is as if it had not been tried.
   */
  async claim(
    proving: Proving,
    code: string,
    claim: Buffer | undefined,
  ): Promise<{ giveBack: GiveBack | undefined } | undefined> {
    const { database, clock, repository, secret } = this.deps;
    const { email, purpose, lane } = proving;
    const isRight = ({ id, hash }: OpenCode) => sameDigest(sealOf(secret, id, proving, code), hash);
    return database.transaction(async (tx) => {
      const now = clock.now();
      const right = (await repository.takeTries(tx, email, purpose, lane, now)).find(isRight);
      if (right !== undefined) {
        await repository.close(tx, right.id, now, claim);
        return { giveBack: () => database.transaction((again) => repository.reopen(again, email, right.id)) };
      }
      const before = claim === undefined ? [] : await repository.claimedFor(tx, email, purpose, claim);
      return before.some(isRight) ? { giveBack: undefined } : undefined;
    });
  }

  /** Exchanges a right code for a ticket, so that a form may ask for the rest on a second page. */
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
