/** Something with a place in folders and a size. */
export interface Sized {
  /** With forward slashes. */
  readonly path: string;
  readonly size: number;
}

/** A folder with all that lies in it, or a file. */
export interface TreeNode<Item extends Sized> {
  /** Of a folder that holds but one folder, the names of both. */
  readonly name: string;
  readonly path: string;
  readonly size: number;
  /** Of a file. */
  readonly item?: Item;
  /** Largest first. */
  readonly children: readonly TreeNode<Item>[];
}

interface Folder<Item extends Sized> {
  readonly folders: Map<string, Folder<Item>>;
  readonly items: Item[];
}

/** Puts items into the folders that their paths name. What has no size is left out. */
export function toTree<Item extends Sized>(items: readonly Item[]): TreeNode<Item> {
  const root: Folder<Item> = { folders: new Map(), items: [] };
  for (const item of items) {
    if (!(item.size > 0)) continue;
    let folder = root;
    for (const name of item.path.split("/").slice(0, -1)) {
      const next: Folder<Item> = folder.folders.get(name) ?? { folders: new Map(), items: [] };
      folder.folders.set(name, next);
      folder = next;
    }
    folder.items.push(item);
  }
  return toNode(root, "", "");
}

function toNode<Item extends Sized>({ folders, items }: Folder<Item>, name: string, path: string): TreeNode<Item> {
  const children: TreeNode<Item>[] = items.map((item) => ({
    name: item.path.slice(item.path.lastIndexOf("/") + 1),
    path: item.path,
    size: item.size,
    item,
    children: [],
  }));
  for (const [inner, folder] of folders) children.push(toNode(folder, inner, path === "" ? inner : `${path}/${inner}`));
  const [only] = children;
  if (children.length === 1 && only !== undefined && only.item === undefined)
    return { ...only, name: name === "" ? only.name : `${name}/${only.name}` };
  children.sort((left, right) => right.size - left.size || (left.path < right.path ? -1 : 1));
  return { name, path, size: children.reduce((sum, { size }) => sum + size, 0), children };
}
