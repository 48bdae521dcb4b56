import { ConfirmDialog } from '../../../ui/dialog/confirm-dialog.tsx'
import { showDialog } from '../../../ui/dialog/dialogs.tsx'
import { deletionRefusal, type ProjectEntry, useCustomer } from '../customers/customer.tsx'
import { useProjectChanges } from './api.ts'
import { NewProject, type NewProjectProps } from './new-project.tsx'

interface CreateProjectProps extends Omit<NewProjectProps, 'onCreate' | 'failureText'> {
  partnerId: string
}

/** On failure a message links back to this dialog, with the name filled in. */
function CreateProject({ partnerId, ...dialog }: CreateProjectProps) {
  const changes = useProjectChanges()
  async function create(projectName: string) {
    await changes.createProject(projectName, partnerId)
    dialog.onClose()
  }
  return <NewProject {...dialog} onCreate={create} />
}

interface DeleteProjectProps {
  project: ProjectEntry
  onClose: () => void
}

function DeleteProject({ project, onClose }: DeleteProjectProps) {
  const { list } = useCustomer()
  const changes = useProjectChanges()
  const currentProject = list?.projects.find(({ id }) => id === project.id) ?? project
  return (
    <ConfirmDialog
      title="Delete Project?"
      confirmLabel="Delete Project"
      tone="danger"
      refusal={deletionRefusal(currentProject)}
      onConfirm={() => {
        onClose()
        void changes.deleteProject(currentProject)
      }}
      onCancel={onClose}
    >
      <p>
        The project <strong>{currentProject.projectName}</strong> will be deleted. This cannot be undone.
      </p>
    </ConfirmDialog>
  )
}

export function showDeleteProject(project: ProjectEntry): void {
  showDialog((close) => <DeleteProject project={project} onClose={close} />)
}

export function showCreateProject(partnerId: string, initialName = ''): void {
  showDialog((close) => <CreateProject partnerId={partnerId} initialName={initialName} onClose={close} />)
}
