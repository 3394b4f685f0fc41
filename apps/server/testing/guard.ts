import { spawn } from 'node:child_process';
import { once } from 'node:events';

/**
 * Interface of the guard, which removes a temporary folder and stops its processes when the process that
 * created it ends, even if it is killed.
 */
export interface Guard {
  /**
   * Registers a server process that uses the folder. The clean-up kills the server before its database, because a
   * running server would restart the database.
   */
  registerServer(pid: number): void;
  /** Kills the registered processes and the folder's PostgreSQL, and removes the folder. */
  cleanUp(): Promise<void>;
}

/**
 * Starts a helper process that waits for the end of its input, which closes when this process ends for any
 * reason. It then kills the registered servers and the PostgreSQL in the folder, without a checkpoint, and
 * removes the folder. `program` must occur in a server's command line, because its process id may have been
 * reused by another program.
 */
export function guardFolder(folder: string, program = '/no program'): Guard {
  const script = `
    servers=$(cat)
    for pid in $servers; do
      case "$(ps -o args= -p "$pid" 2> /dev/null)" in *"$2"*) kill -KILL "$pid" ;; esac
    done
    sockets=""
    quiet=0
    tries=0
    while [ $quiet -lt 3 ] && [ $tries -lt 200 ]; do
      found=""
      for lock in "$1"/cluster/postmaster.pid "$1"/database/cluster/postmaster.pid; do
        if [ -e "$lock" ]; then
          found="$found $(sed -n 1p "$lock" 2> /dev/null)"
          sockets="$sockets
$(sed -n 5p "$lock" 2> /dev/null)"
        fi
      done
      # One that is just being made, or has not written its lock yet, is known by its arguments only.
      found="$found $(ps -axo pid=,args= 2> /dev/null | grep -F -e "-D $1/" -e "--pgdata=$1/" | grep -v grep | awk '{ print $1 }')"
      left=0
      for pid in $found; do
        case "$(ps -o args= -p "$pid" 2> /dev/null)" in *"$1/"*)
          left=1
          if [ $tries -lt 100 ]; then kill -QUIT "$pid" 2> /dev/null; else kill -KILL "$pid" 2> /dev/null; fi ;;
        esac
      done
      if [ $left = 0 ]; then quiet=$((quiet + 1)); else quiet=0; fi
      tries=$((tries + 1))
      sleep 0.05
    done
    echo "$sockets" | sort -u | while read -r socket; do
      if [ -n "$socket" ]; then rm -rf "$socket"; fi
    done
    rm -rf "$1"`;
  const guard = spawn('/bin/sh', ['-c', script, 'sh', folder, program], {
    // The helper process runs in its own session, so that Ctrl-C in the terminal does not end it.
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  guard.unref();
  // The helper process may have been killed already, so the write error is ignored.
  guard.stdin.on('error', () => undefined);
  return {
    registerServer: (pid) => void guard.stdin.write(`${pid}\n`),
    cleanUp: async () => {
      if (guard.exitCode !== null || guard.signalCode !== null) return;
      const ended = once(guard, 'exit');
      guard.ref();
      guard.stdin.end();
      await ended;
    },
  };
}
