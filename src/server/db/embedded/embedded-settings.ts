/** Connections of this server's pool. */
export const poolMax = 10;
/** Connections that are left for people with psql and for backups. */
const othersMax = 20;

/**
 * The embedded Postgres' settings, given on its command line so that a new version of Vectora changes them for old data too. Every
 * promise rests on those that are left as they are: fsync, full_page_writes and synchronous_commit are on.
 */
export const embeddedSettings: Record<string, string | number> = {
  max_connections: poolMax + othersMax,
  shared_buffers: '64MB',
  // Nothing replicates from it.
  wal_level: 'minimal',
  max_wal_senders: 0,
  max_logical_replication_workers: 0,
  // Reads come from the system's cache: three processes fewer.
  io_method: 'sync',
  // No statement of ours gains from several processes or from compiling.
  max_parallel_workers_per_gather: 0,
  jit: 'off',
  // A container has 64 MB of /dev/shm, or none.
  ...(process.platform !== 'win32' && { dynamic_shared_memory_type: 'mmap' }),
  huge_pages: 'off',
  // Its words go to our log, without what statements hold.
  logging_collector: 'off',
  log_line_prefix: '',
  log_min_messages: 'log',
  log_min_error_statement: 'panic',
  lc_messages: 'C',
};
