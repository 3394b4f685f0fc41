import type { Store } from '../../platform/database/database.ts';
import type { Log } from '../../platform/log.ts';
import { OnePerKey } from '../../platform/one-per-key.ts';
import { DOCUMENT_MATCHES, documentMatch, type DocumentMatch } from './domain/document-match.ts';
import type { Person, Submission } from './domain.ts';
import { nearSubmissions, outdatedFingerprints, storeFingerprints } from './repository.ts';
import { aboutOf, type KycParts } from './service.ts';

const CHUNK = 100;
const UNIQUE_VIOLATION = '23505';

/** Somebody else's submission whose document resembles another. */
export interface SimilarDocument {
  /** The submission that was asked about. */
  readonly about: string;
  readonly submission: Submission;
  readonly person: Person;
  readonly match: DocumentMatch;
}

interface Parts extends Pick<KycParts, 'database' | 'seal'> {
  readonly log: Log;
}

/** Finds documents that are, or nearly are, one and the same. */
export class Fingerprints {
  private readonly parts: Parts;
  private readonly turns = new OnePerKey();

  constructor(parts: Parts) {
    this.parts = parts;
  }

  /**
   * Submissions of others whose document is the same or nearly the same, the strongest match first; those that were
   * rejected are among them. Opens what is compared; nothing of it is stored.
   */
  async similarTo(store: Store, submissions: readonly Submission[]): Promise<readonly SimilarDocument[]> {
    const byId = new Map(submissions.map((submission) => [submission.id, submission]));
    const found: SimilarDocument[] = [];
    for (const { about, submission } of await nearSubmissions(store, [...byId.keys()])) {
      const person = this.open(submission);
      const match = documentMatch(this.documentOf(byId.get(about)!), {
        ...person,
        country: submission.country,
      });
      if (match !== undefined) found.push({ about, submission, person, match });
    }
    return found.toSorted((one, other) => rankOf(one.match) - rankOf(other.match));
  }

  /**
   * Fingerprints what an earlier version fingerprinted by the number as it was typed. Two accounts that were verified
   * with one document by then stay verified; the log names the later one.
   */
  refresh(): Promise<void> {
    return this.turns.run('refresh', async () => {
      for (let done = CHUNK; done === CHUNK;) {
        const due = await outdatedFingerprints(this.parts.database.store, CHUNK);
        for (const submission of due) await this.refreshOne(submission);
        done = due.length;
      }
    });
  }

  private async refreshOne(submission: Submission): Promise<void> {
    const { database, seal, log } = this.parts;
    const { id, documentHash } = submission;
    const { country, idCard } = this.documentOf(submission);
    const near = seal.nearKeys(idCard);
    const hash = seal.fingerprint(country, idCard);
    try {
      await storeFingerprints(database.store, id, { hash, near });
    } catch (thrown) {
      if ((thrown as { code?: unknown }).code !== UNIQUE_VIOLATION) throw thrown;
      await storeFingerprints(database.store, id, { hash: documentHash, near });
      log.warn('kyc.document_shared', { submission: id });
    }
  }

  private documentOf(submission: Submission) {
    return { country: submission.country, idCard: this.open(submission).idCard };
  }

  private open(submission: Submission): Person {
    return this.parts.seal.open(submission.sealed, aboutOf(submission));
  }
}

function rankOf(match: DocumentMatch): number {
  return DOCUMENT_MATCHES.indexOf(match);
}
