"""Floyd and Steinberg's dithering: each pixel's rounding error goes to its neighbours that come later."""


#numptx export floyd_steinberg(float64[:,:])
# run: floyd_steinberg(random((4, 5)))
# run: floyd_steinberg(random((13, 11)))
# run: floyd_steinberg(random((60, 50)))
# run: floyd_steinberg(random((1, 1)))
# large: floyd_steinberg(random((500, 700)))
def floyd_steinberg(image):
    height, width = image.shape
    for y in range(height):
        for x in range(width):
            old = image[y, x]
            new = 1.0 if old > 0.5 else 0.0
            image[y, x] = new
            error = old - new
            if x + 1 < width:
                image[y, x + 1] += error * 7 / 16
            if y + 1 < height:
                if x > 0:
                    image[y + 1, x - 1] += error * 3 / 16
                image[y + 1, x] += error * 5 / 16
                if x + 1 < width:
                    image[y + 1, x + 1] += error * 1 / 16


#numptx export floyd_steinberg_inside(int32[:,:])
# run: floyd_steinberg_inside(integers(0, 256, (4, 5), dtype=int32))
# run: floyd_steinberg_inside(integers(0, 256, (13, 11), dtype=int32))
# run: floyd_steinberg_inside(integers(0, 256, (50, 60), dtype=int32))
# large: floyd_steinberg_inside(integers(0, 256, (500, 700), dtype=int32))
def floyd_steinberg_inside(image):
    height, width = image.shape
    for y in range(0, height - 1):
        for x in range(1, width - 1):
            old = image[y, x]
            new = 255 if old > 127 else 0
            error = old - new
            image[y, x] = new
            image[y, x + 1] += 7 * error // 16
            image[y + 1, x - 1] += 3 * error // 16
            image[y + 1, x] += 5 * error // 16
            image[y + 1, x + 1] += error // 16
    return image
