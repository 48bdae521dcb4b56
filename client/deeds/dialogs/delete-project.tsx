import { ConfirmDialog } from '../../components/confirm-dialog.tsx'
import { deletionRefusal, type ProjectEntry, useCustomer } from '../customer.ts'
import { useProjectDeeds } from '../use-project-deeds.ts'

interface DeleteProjectProps {
  project: ProjectEntry
  onClose: () => void
}

export function DeleteProject({ project, onClose }: DeleteProjectProps) {
  const { id, projects } = useCustomer()
  const deeds = useProjectDeeds(id)
  const current = projects.find((one) => one.id === project.id) ?? project
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
