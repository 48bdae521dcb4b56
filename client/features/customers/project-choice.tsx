import { Combobox } from '../../ui/input/combobox.tsx'
import { useProjects } from './api.ts'

interface ProjectChoiceProps {
  customerId: string
  chosen: string
  onChoose: (projectId: string) => void
}

export function ProjectChoice({ customerId, chosen, onChoose }: ProjectChoiceProps) {
  const { data } = useProjects(customerId)
  const options = (data?.projects ?? []).map(({ id, projectName }) => ({ id, name: projectName }))
  const known = options.find(({ id }) => id === chosen)
  return (
    <div className="remote-choice">
      <Combobox
        label="Project"
        placeholder="All projects"
        options={options}
        chosen={chosen ? (known ?? { id: chosen, name: data ? 'No such project' : '…' }) : null}
        emptyText={data ? 'No project has this name.' : 'Loading projects…'}
        onChoose={({ id }) => onChoose(id)}
        onClear={() => onChoose('')}
      />
    </div>
  )
}
