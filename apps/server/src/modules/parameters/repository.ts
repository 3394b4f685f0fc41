import type { Reader, Reads } from '../../platform/database/database.ts';
import type { ParameterTables } from './tables.ts';

/** Reads the settings that are stored in the database. */
export class ParameterRepository {
  private readonly reader: Reads<ParameterTables>;

  constructor(reader: Reader) {
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
