"""Trouble on a device: two processes, kills and full disks."""

import json
import os
import shutil
import subprocess

from oracle import Refused
from tools import Broken

MANY = 2000


def session(devices, device, random):
    """A shell has the store open, in a transaction that it commits, rolls back or is killed in, and another process
    looks at the store meanwhile."""
    store = device.store
    entity = random.choice(store.entities())
    made = devices.some_object(store, entity, random)
    after = store.copy()
    try:
        number, = after.put(entity, [made], "insert")
    except Refused:
        return
    ending = random.choice(["commit", "rollback", "kill"])
    process = devices.programs.start(device.directory, "shell", "store", "--no-history")
    name = store.shown[entity].name
    word = json.dumps(devices.named(store, made)).replace("\\", "\\\\").replace('"', '\\"')
    lines = ["begin", f'put {name} "{word}"', f"get {name} {number} --format ndjson"]
    process.stdin.write("".join(line + "\n" for line in lines).encode())
    process.stdin.flush()
    printed = [process.stdout.readline().decode() for _ in range(2)]
    try:
        seen = json.loads(printed[1])
    except ValueError:
        process.stdin.close()
        raise Broken("shell", f"{lines} printed {printed} {process.stderr.read().decode()}") from None
    wanted = after.view()["objects"][name][number]
    if printed[0].strip() != str(number) or {key: seen.get(key) for key in wanted} != wanted:
        raise Broken("shell", f"it sees {printed} instead of {number} and {wanted}")
    devices.compare(device)
    if ending == "kill":
        process.kill()
        process.communicate()
    else:
        _, err = process.communicate((ending + "\n").encode(), timeout=60)
        if process.returncode:
            raise Broken("shell", f"{ending} ends with {process.returncode}: {err.decode()}")
    if ending == "commit":
        device.store = after
    devices.compare(device)


def crowd(devices, device, random):
    """Several processes put objects at once: an id is given once (docs/processes.md)."""
    store = device.store
    entity = random.choice(store.entities())
    keys = [key for key in store.properties(entity) if not devices.is_unique(store, key)]
    made = []
    for _ in range(3):
        given = devices.some_object(store, entity, random)
        made.append({key: value for key, value in given.items() if key in keys and value != 4444})
    processes = [devices.programs.start(device.directory, "store", "put", "store", store.shown[entity].name,
                                        json.dumps(devices.named(store, one))) for one in made]
    ids = []
    for process in processes:
        out, err = process.communicate(timeout=60)
        if process.returncode:
            raise Broken("crowd", f"a put beside others ends with {process.returncode}: {err.decode()}")
        ids.append(int(out))
    for number, one in sorted(zip(ids, made), key=lambda pair: pair[0]):
        if store.put(entity, [one], "insert") != [number]:
            raise Broken("crowd", f"the ids {ids} were given")
    devices.compare(device)


def many(devices, device, random):
    """A file with objects of one entity, and what the store is after each batch of its import."""
    store = device.store
    entity = random.choice(store.entities())
    keys = [key for key in store.properties(entity) if not devices.is_unique(store, key)]
    first = store.last[entity] + 1
    objects = []
    for number in range(first, first + MANY):
        made = {key: value for key, value in devices.some_object(store, entity, random, number).items()
                if key == "id" or key in keys} if number < first + 20 else {"id": number}
        objects.append(made)
    lines = "".join(json.dumps(devices.named(store, made)) + "\n" for made in objects)
    (device.directory / "many.ndjson").write_text(lines)
    command = ["import", "--store", "store", "--entity", store.shown[entity].name, "--batch", "100", "many.ndjson",
               "--progress", "none"]
    return entity, objects, command


def reached(devices, device, entity, objects):
    """How many objects of an import a store has: whole batches of it, from the first one on."""
    devices.box(device, "store", "verify", "store")
    output = devices.box(device, "export", "--store", "store").out
    seen = devices.views.parse(output)
    count = len(seen["objects"][device.store.shown[entity].name]) - len(device.store.objects[entity])
    if count < 0 or count % 100 and count != len(objects):
        raise Broken("import: batches", f"{device.name} has {count} objects of an import of {len(objects)}")
    after = device.store.copy()
    after.load(entity, objects[:count], "insert")
    if seen["last"][device.store.shown[entity].name] > after.last[entity]:
        # The ids of a batch may be reserved before its objects are stored.
        after.last[entity] = seen["last"][device.store.shown[entity].name]
    devices.views.require_equal(device.name, "interrupted import", after.view(), seen)
    return after


def finish(devices, device, entity, objects, command):
    """Continues an import, and removes its objects again, as they would make every later step slow."""
    before = device.store
    devices.box(device, *command, "--resume")
    device.store = before.copy()
    device.store.load(entity, objects, "insert")
    devices.compare(device)
    condition = f"id >= {objects[0]['id']}"
    shown = {(entity, made["id"]) for made in objects}
    after = device.store.copy()
    try:
        after.remove(shown)
    except Refused:
        return
    devices.box(device, "store", "remove", "store", device.store.shown[entity].name, "--where", condition, "--yes")
    device.store = after
    devices.compare(device)
    (device.directory / "many.ndjson").unlink()


def kill(devices, device, random):
    """An import is killed, and continues."""
    entity, objects, command = many(devices, device, random)
    process = devices.programs.start(device.directory, *command)
    try:
        process.wait(timeout=random.random() * 0.12)
    except subprocess.TimeoutExpired:
        process.kill()
    process.communicate()
    reached(devices, device, entity, objects)
    finish(devices, device, entity, objects, command)


def fill_disk(devices, device, random):
    """A disk is full in the middle of an import, which continues on a larger one."""
    if os.geteuid() != 0:
        return
    place = device.directory / "disk"
    place.mkdir(exist_ok=True)
    size = sum(path.stat().st_size for path in device.path.iterdir()) + random.choice([20000, 60000, 150000])
    if subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={size}", "none", place], capture_output=True).returncode:
        return
    try:
        entity, objects, command = many(devices, device, random)
        shutil.copytree(device.path, place / "store")
        command[2] = "disk/store"
        done = devices.box(device, *command, codes=(0, 74))
        shutil.rmtree(device.path)
        shutil.copytree(place / "store", device.path)
    finally:
        subprocess.run(["umount", place], check=True)
    place.rmdir()
    command[2] = "store"
    reached(devices, device, entity, objects)
    if done.code == 0:
        device.store.load(entity, objects, "insert")
        return devices.compare(device)
    finish(devices, device, entity, objects, command)


