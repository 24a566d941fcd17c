package io.sandbox4j.sample;

import java.io.InputStream;

import io.sandbox4j.FileEntry;
import io.sandbox4j.FileType;
import io.sandbox4j.SandboxFiles;

import org.springframework.core.io.InputStreamResource;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

/**
 * The files of a sandbox over HTTP, of any size, also while its commands run: the bytes
 * of a file, the list of a directory, and writes that replace a file at once.
 */
@RestController
@RequestMapping("/sandboxes/{id}/files")
class FileController {

	private final Sandboxes sandboxes;

	FileController(Sandboxes sandboxes) {
		this.sandboxes = sandboxes;
	}

	@GetMapping("/{*path}")
	ResponseEntity<?> read(@PathVariable String id, @PathVariable String path) {
		SandboxFiles files = files(id);
		String name = workspacePath(path);
		FileEntry entry = files.stat(name);
		if (entry.type() == FileType.DIRECTORY) {
			return ResponseEntity.ok(files.list(name).stream().map(EntryView::of).toList());
		}
		// Never a type that a browser would run.
		return ResponseEntity.ok()
			.contentType(MediaType.APPLICATION_OCTET_STREAM)
			.body(new InputStreamResource(files.open(name)));
	}

	@PutMapping(path = "/{*path}", consumes = MediaType.APPLICATION_OCTET_STREAM_VALUE)
	@ResponseStatus(HttpStatus.NO_CONTENT)
	void write(@PathVariable String id, @PathVariable String path, InputStream content) {
		files(id).write(workspacePath(path), content);
	}

	@DeleteMapping("/{*path}")
	@ResponseStatus(HttpStatus.NO_CONTENT)
	void remove(@PathVariable String id, @PathVariable String path) {
		files(id).remove(workspacePath(path));
	}

	private SandboxFiles files(String id) {
		return this.sandboxes.running(id).session().files();
	}

	private static String workspacePath(String path) {
		return path.equals("/") ? "." : path.substring(1);
	}

	/**
	 * Shows an entry of a directory.
	 *
	 * @param path its path
	 * @param type what it is
	 * @param size its size in bytes
	 */
	record EntryView(String path, FileType type, long size) {

		static EntryView of(FileEntry entry) {
			return new EntryView(entry.path().relative(), entry.type(), entry.size());
		}

	}

}
