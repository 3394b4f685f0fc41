/** Rows of the status tables in the types that the database driver returns. */
export type StatusTables = {
  status_latency: { hour: number; bucket: number; count: bigint };
  status_day: { day: number; minutes: number; first_minute: bigint; last_minute: bigint };
  status_incident: {
    id: string;
    component: string;
    title: unknown;
    started_at: bigint;
    ended_at: bigint | null;
  };
  status_report: {
    incident: string;
    number: number;
    at: bigint;
    stage: string;
    content: unknown;
    by: string;
    reason: string;
  };
};
