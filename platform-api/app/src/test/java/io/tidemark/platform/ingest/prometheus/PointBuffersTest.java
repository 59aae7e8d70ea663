package io.tidemark.platform.ingest.prometheus;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class PointBuffersTest {

  @Test
  void aBufferIsUsedAgainAndEmpty() {
    PointBuffers buffers = new PointBuffers(2);
    ProtobufBytes first = buffers.take();
    first.varint(1, 42);
    buffers.giveBack(first);
    ProtobufBytes again = buffers.take();
    assertThat(again).isSameAs(first);
    assertThat(again.length()).isZero();
    assertThat(buffers.take()).isNotSameAs(first);
  }

  @Test
  void whatOneLargeRequestTookIsNotKept() {
    PointBuffers buffers = new PointBuffers(2);
    ProtobufBytes large = buffers.take();
    byte[] content = new byte[PointBuffers.MAX_KEPT + 1];
    large.raw(content, 0, content.length);
    buffers.giveBack(large);
    assertThat(buffers.take()).isNotSameAs(large);
  }

  @Test
  void onlySoManyAreDecodedAtATime() throws Exception {
    PointBuffers buffers = new PointBuffers(1);
    ProtobufBytes only = buffers.take();
    CompletableFuture<ProtobufBytes> second = CompletableFuture.supplyAsync(buffers::take);
    assertThat(second).isNotDone();
    buffers.giveBack(only);
    assertThat(second.get(10, TimeUnit.SECONDS)).isSameAs(only);
  }
}
