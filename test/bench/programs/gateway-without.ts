// Starts the gateway without the step of a request that BENCH_WITHOUT names, so that its cost can be measured.
import { registerHooks } from 'node:module'
import { STEPS, type StepName } from '../left-out.ts'

const edits = STEPS[process.env.BENCH_WITHOUT as StepName]
const made = new Set<(typeof edits)[number]>()

registerHooks({
  load(url, context, nextLoad) {
    const loaded = nextLoad(url, context)
    const ofFile = edits.filter(({ file }) => url.endsWith(`/server/${file}`))
    if (ofFile.length === 0) return loaded
    let source = Buffer.from(loaded.source as Buffer).toString()
    for (const edit of ofFile) {
      const [before, after, ...more] = source.split(edit.from)
      if (after === undefined || more.length > 0)
        throw new Error(`server/${edit.file} has changed: it does not contain this once: ${edit.from}`)
      source = before + edit.to + after
      made.add(edit)
    }
    return { ...loaded, source }
  }
})
await import('#server/main.ts')
if (made.size < edits.length) throw new Error('the gateway did not load all files of the step')
