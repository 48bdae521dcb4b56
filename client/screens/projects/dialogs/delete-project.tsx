import { ConfirmDialog } from '../../../components/confirm-dialog.tsx'
import { deletionRefusal, type ProjectEntry, useCustomer } from '../deeds/customer.ts'

interface DeleteProjectProps {
  project: ProjectEntry
  onClose: () => void
}

export function DeleteProject({ project, onClose }: DeleteProjectProps) {
  const { deeds, projects } = useCustomer()
  const current = projects.find(({ id }) => id === project.id) ?? project
  const refusal = deletionRefusal(current)
  return (
    <ConfirmDialog
      title="Delete Project?"
      confirmLabel="Delete Project"
      tone="danger"
      failureText={() => refusal ?? ''}
      onConfirm={() => {
        if (refusal !== null) throw new Error(refusal)
        onClose()
        void deeds.deleteProject(current)
      }}
      onCancel={onClose}
    >
      <p>
        The project <strong>{current.projectName}</strong> will be deleted. This cannot be undone.
      </p>
    </ConfirmDialog>
  )
}
