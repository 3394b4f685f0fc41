import type { HitState, SubjectKind } from './domain.ts';

/** The rows of the tables of sanctions screening; instants are in milliseconds since 1970. */
export type ScreeningTables = {
  sanction_list: {
    name: string;
    file_hash: string;
    addresses: number;
    names: number;
    imported_at: bigint;
  };
  sanction_entry: {
    list: string;
    kind: 'address' | 'name';
    key: string;
    words: string[];
    entry: string;
    reference: string;
  };
  screening_pass: {
    source: string;
    lists: string;
    after: string | null;
    compared: number;
    finished_at: bigint | null;
  };
  sanction_hit: {
    id: string;
    subject_kind: SubjectKind;
    subject: string;
    owner: string;
    screened: string | null;
    list: string;
    reference: string;
    entry: string;
    state: HitState;
    created_at: bigint;
    decided_at: bigint | null;
    decided_by: string | null;
    reason: string | null;
  };
};
