import type { Kysely } from 'kysely';
import type { ParameterTables } from './tables.ts';

/** Access to stored settings. */
export class ParameterRepository {
  private readonly reader: Kysely<ParameterTables>;

  constructor(reader: Kysely<unknown>) {
    this.reader = reader.withTables<ParameterTables>();
  }

  async publicValue(name: string): Promise<string | undefined> {
    const row = await this.reader
      .selectFrom('parameter')
      .select('value')
      .where('name', '=', name)
      .where('public', '=', true)
      .executeTakeFirst();
    return row?.value;
  }
}
