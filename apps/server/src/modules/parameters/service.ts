import type { Locale } from '@exchange/core/locale.ts';
import type { AgreementName } from '@exchange/wire/parameter.ts';
import type { Clock } from '../../platform/clock.ts';
import { SharedAnswer } from '../../platform/shared-answer.ts';
import type { ParameterRepository } from './repository.ts';
import { AGREEMENTS } from './words/agreements.ts';

/**
 * Names of the settings stored in the database that can be public. Such a setting is public only if its name
 * is in this list and its database row is marked as public, so that a mistake in one of the two reveals
 * nothing.
 */
const PUBLIC_NAMES: ReadonlySet<string> = new Set([
  'customer_service_email',
  'customer_service_url',
  'contract_fee_rate',
]);

/** Milliseconds for which settings are cached; a change in the database takes effect within this time. */
const SHARED_MS = 10_000;

/**
 * Pattern of texts that end in the reserved domain `.example`, such as email addresses to which no mail can
 * be delivered.
 */
const NOWHERE = /\.example$/;

export interface ServerFacts {
  readonly mode: 'demo' | 'live';
  /** True if mails are displayed on the site instead of being sent. */
  readonly showsMail: boolean;
  /** Domain for which browsers create passkeys and on which they use them. */
  readonly passkeyDomain: string;
  readonly version: string;
}

/** Public settings whose values other modules compute, by name of the setting. */
export type Elsewhere = ReadonlyMap<string, () => Promise<string>>;

/** Reads the public settings, the texts of agreements, and facts about the server such as its mode and version. */
export class ParameterService {
  private readonly clock: Clock;
  private readonly facts: ServerFacts;
  private readonly elsewhere: Elsewhere;
  /** The cached values of the public settings in the database, by name. */
  private readonly stored: ReadonlyMap<string, SharedAnswer<string | undefined>>;

  constructor(
    repository: ParameterRepository,
    clock: Clock,
    facts: ServerFacts,
    elsewhere: Elsewhere = new Map(),
  ) {
    this.clock = clock;
    this.facts = facts;
    this.elsewhere = elsewhere;
    this.stored = new Map(
      [...PUBLIC_NAMES].map((name) => [
        name,
        new SharedAnswer(() => repository.publicValue(name), { clock, maxAgeMs: SHARED_MS }),
      ]),
    );
  }

  /**
   * The value of a public setting; empty for any other name, and on a live exchange for a stored address that
   * cannot be delivered to.
   */
  async publicValue(name: string): Promise<string> {
    const provider = this.elsewhere.get(name);
    if (provider !== undefined) return provider();
    if (!PUBLIC_NAMES.has(name)) return '';
    const value = (await this.stored.get(name)?.get()) ?? '';
    // A new database contains a demo address in `customer_service_email` to which no mail can be delivered; a live
    // exchange does not publish it.
    return this.facts.mode === 'live' && NOWHERE.test(value) ? '' : value;
  }

  /** The text of an agreement in a language, with its version and, if it has one, its effective date. */
  agreement(name: AgreementName, locale: Locale) {
    const { text, ...edition } = AGREEMENTS[name];
    return { text: text[locale], ...edition };
  }

  server() {
    const { mode, showsMail, passkeyDomain, version } = this.facts;
    return { mode, showsMail, passkeyDomain, time: this.clock.now(), version };
  }
}
