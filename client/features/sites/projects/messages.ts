// .github/product.md#texts defines the wording of some.

export const PROJECT = {
  createDuplicate: 'Project already exists. Choose different name',
  renameDuplicate: 'Project already exists. Choose different name.',
  createFailed: 'Failed to create project',
  renameFailed: 'Failed to update the project name.',
  deleteFailed: 'Failed to delete project',
  created: (name: string) => `Project '${name}' created successfully.`,
  renamed: (name: string) => `Project name '${name}' updated successfully.`,
  renameUndone: (name: string) => `Renaming undone: the project is called '${name}' again.`,
  deleted: (name: string) => `Project '${name}' deleted successfully.`
} as const
