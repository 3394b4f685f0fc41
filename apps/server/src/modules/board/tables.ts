interface EntryColumns {
  code: string;
  version: number;
  kind: 'announcement' | 'banner';
  body: unknown;
  position: number;
  from_at: bigint;
  until_at: bigint | null;
  is_withdrawn: boolean;
}

export type BoardTables = {
  board_entry: EntryColumns;
  board_entry_version: EntryColumns & { at: bigint; by: string; reason: string };
};
