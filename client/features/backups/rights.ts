import type { Session } from '../session/session.ts'

export interface BackupRights {
  view: boolean
  edit: boolean
  remove: boolean
  download: boolean
}

/** What the person may do with backups at the customer's scope; nothing while that is not known. */
export function backupRights({ can }: Session, scope: string | null): BackupRights {
  return {
    view: scope !== null && can('recover:view', scope),
    edit: scope !== null && can('recover:edit', scope),
    remove: scope !== null && can('recover:delete', scope),
    download: scope !== null && can('recover:download', scope)
  }
}
