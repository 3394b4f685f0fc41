import type { Store } from '../../platform/database/database.ts';
import type { Log } from '../../platform/log.ts';
import { OnePerKey } from '../../platform/one-per-key.ts';
import { DOCUMENT_MATCHES, documentMatch, type DocumentMatch } from './domain/document-match.ts';
import type { Person, Submission } from './domain.ts';
import { nearSubmissions, outdatedFingerprints, storeFingerprints } from './repository.ts';
import { aboutOf, type KycParts } from './service.ts';

const CHUNK = 100;
const UNIQUE_VIOLATION = '23505';

/** A submission of another user whose document is the same as, or similar to, that of the submission `about`. */
export interface SimilarDocument {
  /** Id of the submission to which `submission` is similar. */
  readonly about: string;
  readonly submission: Submission;
  readonly person: Person;
  readonly match: DocumentMatch;
}

interface Parts extends Pick<KycParts, 'database' | 'seal'> {
  readonly log: Log;
}

/** Finds submissions with the same or a similar document by keyed hashes (fingerprints). */
export class Fingerprints {
  private readonly parts: Parts;
  private readonly queue = new OnePerKey();

  constructor(parts: Parts) {
    this.parts = parts;
  }

  /**
   * Submissions of other users with the same or a similar document, including rejected ones, strongest match first.
   * Only the newest candidates per submission are compared; their documents are decrypted for the comparison, and
   * nothing of them is stored.
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
   * Computes fingerprints again that an earlier version of the software made. If two verified accounts turn out to have
   * the same document, both stay verified, and a warning is logged.
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
