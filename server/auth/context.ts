// The services that the files of auth share. app-services.ts creates them.
import type { Config } from '../config/settings.ts'
import type { Audit } from '../observability/audit.ts'
import type { Recorder } from '../observability/recorder.ts'
import type { Clock, Log } from '../types.ts'
import type { Authority } from './authority/oidc-client.ts'
import type { Encryption } from './encryption.ts'
import type { SessionStore } from './sessions/store.ts'

export interface AuthContext {
  config: Config
  sessions: SessionStore
  encryption: Encryption
  authority: Authority
  audit: Audit
  recorder: Recorder
  /** The clock that all replicas share, for times that they store and compare. */
  clock: Clock
  /** The clock of this machine, for times in the authority's tokens. */
  localClock: Clock
  /** Milliseconds of a clock that nobody sets, for ages within this process. */
  steadyClock: Clock
  log: Log
}
