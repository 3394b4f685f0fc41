import type { Reader, Reads } from '../../platform/database/database.ts';
import type { ParameterTables } from './tables.ts';

/** Reads the settings in the database that are marked as public. */
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
