import t from 'tap'
import { backupColumns } from '#client/features/recover/backups/columns.tsx'
import { cellIn } from '#client/ui/list/columns/column.ts'
import type { Backup } from '#shared/answers/files.ts'

t.test('shows the status and the lock of a backup only if they differ from the normal case', async (t) => {
  const shown = (backup: Partial<Backup>) =>
    backupColumns('/customers/9')
      .filter(({ id }) => ['status', 'retained'].includes(id))
      .filter((column) => cellIn(column, backup as Backup))
      .map(({ id }) => id)
  t.strictSame(shown({ status: 'COMPLETE', retained: false }), [])
  t.strictSame(shown({ status: 'FAILED', retained: true }), ['status', 'retained'])
})
