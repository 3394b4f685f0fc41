import type { Locale } from '@exchange/core/locale.ts';
import type { AgreementName } from '@exchange/wire/parameter.ts';
import type { Clock } from '../../platform/clock.ts';
import type { ParameterRepository } from './repository.ts';
import { AGREEMENTS } from './words/agreements.ts';

/** Names that may be answered to anybody. A row must be public as well: one slip alone gives nothing away. */
const PUBLIC_NAMES: ReadonlySet<string> = new Set([
  'customer_service_email',
  'customer_service_url',
  'contract_fee_rate',
]);

/** An address that nobody can have. */
const NOWHERE = /\.example$/;

export interface ServerFacts {
  readonly mode: 'demo' | 'live';
  /** Whether mail is shown to everybody instead of being sent. */
  readonly showsMail: boolean;
  readonly version: string;
}

/** Public settings that another module keeps, by name. */
export type Elsewhere = Readonly<Record<string, (() => Promise<string>) | undefined>>;

/** Reads settings and says what a page needs to know of the server. */
export class ParameterService {
  private readonly repository: ParameterRepository;
  private readonly clock: Clock;
  private readonly facts: ServerFacts;
  private readonly elsewhere: Elsewhere;

  constructor(repository: ParameterRepository, clock: Clock, facts: ServerFacts, elsewhere: Elsewhere = {}) {
    this.repository = repository;
    this.clock = clock;
    this.facts = facts;
    this.elsewhere = elsewhere;
  }

  /** The value of a public setting; empty for every other name. */
  async publicValue(name: string): Promise<string> {
    const own = this.elsewhere[name];
    if (own !== undefined) return own();
    if (!PUBLIC_NAMES.has(name)) return '';
    const value = (await this.repository.publicValue(name)) ?? '';
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
