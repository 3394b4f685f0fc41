import type { Locale } from '@exchange/core/locale.ts';
import type { AgreementName } from '@exchange/wire/parameter.ts';
import type { Clock } from '../../platform/clock.ts';
import { SharedAnswer } from '../../platform/shared-answer.ts';
import type { ParameterRepository } from './repository.ts';
import { AGREEMENTS } from './words/agreements.ts';

/** Names that may be answered to anybody. A row must be public as well: one slip alone gives nothing away. */
const PUBLIC_NAMES: ReadonlySet<string> = new Set([
  'customer_service_email',
  'customer_service_url',
  'contract_fee_rate',
]);

/** No call changes a setting; what an administrator changes in the database shows after this. */
const SHARED_MS = 10_000;

/** An address that nobody can have. */
const NOWHERE = /\.example$/;

export interface ServerFacts {
  readonly mode: 'demo' | 'live';
  /** Whether mail is shown to everybody instead of being sent. */
  readonly showsMail: boolean;
  readonly version: string;
}

/** Public settings that another module keeps, by name. */
export type Elsewhere = ReadonlyMap<string, () => Promise<string>>;

/** Reads settings and says what a page needs to know of the server. */
export class ParameterService {
  private readonly clock: Clock;
  private readonly facts: ServerFacts;
  private readonly elsewhere: Elsewhere;
  /** The settings in the database that anybody may ask for. */
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

  /** The value of a public setting; empty for every other name. */
  async publicValue(name: string): Promise<string> {
    const own = this.elsewhere.get(name);
    if (own !== undefined) return own();
    if (!PUBLIC_NAMES.has(name)) return '';
    const value = (await this.stored.get(name)?.get()) ?? '';
    // What a demo's database begins with is an address that nobody reads.
    return this.facts.mode === 'live' && NOWHERE.test(value) ? '' : value;
  }

  /** What is agreed to under a name, in a language, and the version of it. */
  agreement(name: AgreementName, locale: Locale) {
    const { text, ...edition } = AGREEMENTS[name];
    return { text: text[locale], ...edition };
  }

  server() {
    const { mode, showsMail, version } = this.facts;
    return { mode, showsMail, time: this.clock.now(), version };
  }
}
