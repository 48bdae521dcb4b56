import { useId } from 'react'

interface ChooseFileProps {
  busy: boolean
  /** Why the chosen file cannot be compared. */
  problem: string | null
  onChoose: (file: File) => void
}

export function ChooseFile({ busy, problem, onChoose }: ChooseFileProps) {
  const id = useId()
  return (
    <>
      <h2>Bring it back</h2>
      <p>You see all differences before anything changes.</p>
      <label htmlFor={id} className="sr-only">
        The changed file
      </label>
      <input
        id={id}
        type="file"
        className="bulk-edit-file"
        accept=".csv,.tsv,.txt,text/csv,text/plain,text/tab-separated-values"
        aria-describedby={`${id}-status`}
        aria-busy={busy}
        onChange={({ target }) => {
          const [file] = target.files ?? []
          if (file && !busy) onChoose(file)
          // The same file can be chosen again after it was corrected.
          target.value = ''
        }}
      />
      <div id={`${id}-status`} role="status">
        {busy && <p>Comparing the file with the devices…</p>}
        {problem && <p className="field-error">{problem}</p>}
      </div>
    </>
  )
}
