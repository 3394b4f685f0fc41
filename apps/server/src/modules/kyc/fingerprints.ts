import type { Store } from '../../platform/database/database.ts';
import type { Log } from '../../platform/log.ts';
import { OnePerKey } from '../../platform/one-per-key.ts';
import { DOCUMENT_MATCHES, documentMatch, type DocumentMatch } from './domain/document-match.ts';
import type { Person, Submission } from './domain.ts';
import { nearSubmissions, outdatedFingerprints, storeFingerprints } from './repository.ts';
import { aboutOf, type KycParts } from './service.ts';

const CHUNK = 100;
const UNIQUE_VIOLATION = '23505';

/** Another user's submission with a similar document. */
export interface SimilarDocument {
  /** Id of the submission that was compared. */
  readonly about: string;
  readonly submission: Submission;
  readonly person: Person;
  readonly match: DocumentMatch;
}

interface Parts extends Pick<KycParts, 'database' | 'seal'> {
  readonly log: Log;
}

/** Finds submissions with the same or a similar document. */
export class Fingerprints {
  private readonly parts: Parts;
  private readonly queue = new OnePerKey();

  constructor(parts: Parts) {
    this.parts = parts;
  }

  /**
   * Other users' submissions with the same or a similar document, including rejected ones, strongest match first; only
   * the newest candidates of each submission are compared. Decrypts the compared documents and stores nothing of them.
   */
  async similarTo(store: Store, submissions: readonly Submission[]): Promise<readonly SimilarDocument[]> {
    const byId = new Map(submissions.map((submission) => [submission.id, submission]));
    const similar: SimilarDocument[] = [];
    for (const { about, submission } of await nearSubmissions(store, [...byId.keys()])) {
      const person = this.open(submission);
      const match = documentMatch(this.documentOf(byId.get(about)!), {
        ...person,
        country: submission.country,
      });
      if (match !== undefined) similar.push({ about, submission, person, match });
    }
    return similar.toSorted((left, right) => rankOf(left.match) - rankOf(right.match));
  }

  /**
   * Updates fingerprints made by an earlier version. If two verified accounts turn out to share a document, both stay
   * verified and the later one is logged.
   */
  refresh(): Promise<void> {
    return this.queue.run('refresh', async () => {
      for (let batchSize = CHUNK; batchSize === CHUNK;) {
        const outdated = await outdatedFingerprints(this.parts.database.store, CHUNK);
        for (const submission of outdated) await this.refreshOne(submission);
        batchSize = outdated.length;
      }
    });
  }

  private async refreshOne(submission: Submission): Promise<void> {
    const { database, seal, log } = this.parts;
    const { id, documentHash } = submission;
    const person = this.open(submission);
    const keys = seal.indexKeys(person);
    const hash = seal.fingerprint(submission.country, person.idCard);
    try {
      await storeFingerprints(database.store, id, { hash, keys });
    } catch (thrown) {
      if ((thrown as { code?: unknown }).code !== UNIQUE_VIOLATION) throw thrown;
      await storeFingerprints(database.store, id, { hash: documentHash, keys });
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
